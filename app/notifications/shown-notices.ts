import type { AppNotification, ElectronModule } from '../electron.ts';
import type { Notice } from './notice.ts';

/** Notifications that were shown, as long as one of their things stands. */
export interface ShownNotices {
  show(notice: Notice, onClick: () => void): void;
  /** Closes those whose things are all over. */
  keep(stands: (key: string) => boolean): void;
  closeAll(): void;
}

/**
 * They are kept, also those that the system says were closed: Windows and GNOME keep them in a list after that, where
 * they can be clicked still, and one that is forgotten loses its click.
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
        // It stays until it is answered or over: what waits would be gone from sight else.
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
