import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { counted } from '../../../main/contract/ui/count-text.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/page.tsx';
import { AccountLogin } from './account-login.tsx';
import { CardTitle } from './card-title.tsx';
import styles from './import.module.css';
import { useImportRun } from './import-run.tsx';

/** The result, and the next step: log in, then run the first command. */
export function DonePanel({ result }: { result: CallOutput<'import.apply'> }) {
  const { clear } = useImportRun();
  const accounts = useBroker((state) => state.sections.accounts);
  const waiting = result.accounts.filter(
    ({ name, needsLogin }) => needsLogin && accounts[name]?.state !== 'ready',
  );
  const done =
    result.clusters.length === 0 ? 'Done' : `${counted(result.clusters.length, 'cluster')} imported`;
  return (
    <div className={styles.card}>
      <CardTitle>{waiting.length > 0 ? `${done}. Now log in` : done}</CardTitle>
      {result.inPlace && result.edited.length > 0 && (
        <p className={styles.muted}>
          {result.edited.join(', ')} {result.edited.length === 1 ? 'has' : 'have'} been edited; Undo restores
          what was there.
        </p>
      )}
      {result.kept.map(({ file, why }) => (
        <p key={file} className={styles.warn} role="alert">
          {file}: {why}. Everything else was imported; import again to edit this file.
        </p>
      ))}
      {result.warnings.map((warning) => (
        <p key={warning} className={styles.warn}>
          {warning}
        </p>
      ))}
      {waiting.map(({ name }, index) => (
        <AccountLogin
          key={name}
          account={name}
          clusters={accounts[name]?.clusters.length ?? 0}
          primary={index === 0}
        />
      ))}
      {result.tryLine !== null && (
        <Section title={waiting.length > 0 ? 'Then' : 'Next'}>
          {result.environmentLine !== null && (
            <>
              <p className={styles.muted}>Add this line to your shell profile:</p>
              <CommandLine command={result.environmentLine} />
            </>
          )}
          <p className={styles.muted}>
            {result.inPlace ? 'Try it in any terminal:' : 'Try it in that terminal:'}
          </p>
          <CommandLine command={result.tryLine} />
        </Section>
      )}
      {result.clusters.length > 1 && (
        <details>
          <summary>What was imported</summary>
          <DataTable
            caption="Imported clusters"
            columns={[{ label: 'Cluster' }]}
            rows={result.clusters.map((name) => ({ key: name, cells: [name] }))}
          />
        </details>
      )}
      <div className={styles.row}>
        <Button
          onClick={() => {
            clear();
            window.location.hash = '#/clusters';
          }}
        >
          View clusters
        </Button>
        <Button kind="quiet" onClick={clear}>
          Import another file
        </Button>
      </div>
    </div>
  );
}
