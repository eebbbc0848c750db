import { useMemo } from 'react';
import styles from './login.module.css';
import { qrPath } from './qr-path.ts';

/** A QR code: dark on light in both themes, because cameras need that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className={styles.qrGround} width={size} height={size} />
      <path className={styles.qrInk} d={path} />
    </svg>
  );
}
