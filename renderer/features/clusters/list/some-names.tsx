import styles from './some-names.module.css';

const most = 12;

/** The first of the names, and how many more there are. */
export function SomeNames({ names }: { names: readonly string[] }) {
  const more = names.length - most;
  return (
    <ul className={styles.names}>
      {names.slice(0, most).map((name) => (
        <li key={name}>{name}</li>
      ))}
      {more > 0 && <li className={styles.more}>and {more.toLocaleString('en-US')} more</li>}
    </ul>
  );
}

/** `prod-eu`, `3 clusters`. */
export function clustersText(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? first : `${names.length.toLocaleString('en-US')} clusters`;
}
