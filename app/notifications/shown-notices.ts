import type { AppNotification, ElectronModule } from '../electron.ts';
import type { Notice } from './notice.ts';

/** The notifications that were shown, while one of their alerts is present. */
export interface ShownNotices {
  show(notice: Notice, onClick: () => void): void;
  /** Closes the notifications of which no alert is present. */
  keep(stands: (key: string) => boolean): void;
  closeAll(): void;
}

/**
 * Keeps notifications even after the system reports them closed. Windows and GNOME list them after that. The user can
 * still click them there, but a notification that was garbage-collected loses its click.
 */
export function createShownNotices({ Notification }: Pick<ElectronModule, 'Notification'>): ShownNotices {
  const shown = new Map<AppNotification, readonly string[]>();
  const close = (notification: AppNotification) => {
    shown.delete(notification);
    notification.close();
  };
  return {
    show({ keys, title, body, isQuiet, isUrgent }, onClick) {
      const notification = new Notification({
        title,
        body,
        silent: isQuiet,
        // Stays until it is answered or over: else the user could miss a program that waits.
        timeoutType: isUrgent ? 'never' : 'default',
      });
      shown.set(notification, keys);
      notification.on('click', () => {
        close(notification);
        onClick();
      });
      notification.show();
    },
    keep(stands) {
      for (const [notification, keys] of [...shown]) {
        if (!keys.some(stands)) {
          close(notification);
        }
      }
    },
    closeAll: () => [...shown.keys()].forEach(close),
  };
}
