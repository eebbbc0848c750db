import styles from './settings.module.css';

/** Progress in numbers. */
export function Progress({
  label,
  progress,
}: {
  label: string;
  progress: { ended: number; all: number } | null;
}) {
  const words = progress ? `${label}: ${progress.ended} of ${progress.all}` : `${label}…`;
  return (
    <div className={styles.progress}>
      <progress
        aria-label={label}
        {...(progress && { max: Math.max(1, progress.all), value: progress.ended })}
      />
      <span>{words}</span>
    </div>
  );
}
