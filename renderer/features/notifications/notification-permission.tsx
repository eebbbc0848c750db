import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './notifications.module.css';

/** Whether the browser allows this page to show notifications while another window is in front. */
export function NotificationPermission() {
  const [permission, setPermission] = useState(() => Notification.permission);
  if (permission === 'granted') {
    return null;
  }
  return (
    <p className={styles.permission}>
      {permission === 'denied'
        ? 'Your browser doesn’t let this page notify you: allow it beside the address.'
        : 'Allow browser notifications'}
      {permission === 'default' && (
        <Button size="small" onClick={() => void Notification.requestPermission().then(setPermission)}>
          Allow…
        </Button>
      )}
    </p>
  );
}
