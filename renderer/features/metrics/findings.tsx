import { CircleCheck, TriangleAlert } from 'lucide-react';
import { hrefOf } from '../../navigation/route.ts';
import { Section } from '../../ui/page.tsx';
import styles from './metrics.module.css';
import { findingsOf, type Plugin } from './objective-words.ts';

/** What to do first: a sentence for each plugin that needs the user. */
export function Findings({ plugins, rotationDays }: { plugins: readonly Plugin[]; rotationDays: number }) {
  const found = findingsOf(plugins, rotationDays);
  return (
    <Section title="What to do">
      {found.length === 0 ? (
        <p className={styles.fine}>
          <CircleCheck aria-hidden="true" />
          {nothingWords(plugins)}
        </p>
      ) : (
        <ul className={styles.troubles}>
          {found.map(({ key, account, clusters, seen, todo }) => (
            <li key={key}>
              <TriangleAlert aria-hidden="true" className={styles.troubleMark} />
              <div>
                <p>
                  <strong>
                    {account}
                    {clusters.length > 0 && ` (${clusters.join(', ')})`}
                  </strong>
                  : {seen}
                </p>
                <p className={styles.todo}>
                  {todo} <a href={hrefOf('accounts', account)}>Open {account}</a>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function nothingWords(plugins: readonly Plugin[]): string {
  if (plugins.every(({ calls }) => calls.runs === 0)) {
    return 'Nothing: no plugin ran in the last 24 hours.';
  }
  return plugins.length === 1 ? 'Nothing: the plugin works well.' : 'Nothing: all plugins work well.';
}
