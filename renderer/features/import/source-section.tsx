import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './import.module.css';
import { useDroppedFiles } from './use-dropped-files.ts';
import type { PlanWish } from './use-plan.ts';

type Source = Pick<PlanWish, 'files' | 'pasted'>;

/** The files that were read, and ways to choose others. */
export function SourceSection({
  plan,
  files,
  pasted,
  onSource,
}: Source & { plan: ImportPlanView | null; onSource(source: Source): void }) {
  const [path, setPath] = useState('');
  const [hasNoPath, setHasNoPath] = useState(false);
  const hasDesktop = useBroker((state) => state.sections.desktop[''] !== undefined);
  const choose = useAction('desktop.chooseFiles');
  const paste = useAction('import.paste');
  const take = (source: Source) => {
    setHasNoPath(false);
    onSource(source);
  };
  const add = (more: readonly string[]) => {
    if (more.length > 0) {
      take({ files: [...new Set([...files, ...more])], pasted: null });
    }
  };
  // The user chooses and pastes for a while: the rest may have changed until then.
  const latest = useRef({ take, add });
  latest.current = { take, add };
  const { cancel } = paste;
  useEffect(() => cancel, [cancel]);
  useDroppedFiles({ onFiles: add, onNoPath: () => setHasNoPath(true) });
  const addNamed = (event: FormEvent) => {
    event.preventDefault();
    const named = path.trim();
    if (named !== '') {
      add([named]);
      setPath('');
    }
  };
  const isAbsolute = path === '' || /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path.trim());
  const failure = choose.failure ?? paste.failure;
  return (
    <Section title="Source">
      <div className={styles.files}>
        {plan?.files.map((file) => (
          <div key={file.path} className={styles.file}>
            <span className="mono">{file.path}</span>
            {!file.exists && <span className={styles.muted}>not found</span>}
            {file.openToOthers !== null && (
              <span className={styles.warn}>can be read by other people here (mode {file.openToOthers})</span>
            )}
          </div>
        ))}
      </div>
      <form className={styles.row} onSubmit={addNamed}>
        <div className={styles.path}>
          <Field
            label="Import from a different file"
            error={isAbsolute ? null : 'Enter an absolute path, starting with /'}
            hint={
              files.length === 0 && pasted === null ? 'Used instead of the files kubectl reads.' : undefined
            }
          >
            <TextInput
              mono
              value={path}
              placeholder="/home/you/Downloads/cluster.yaml"
              onChange={(event) => setPath(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" calls disabled={path.trim() === '' || !isAbsolute}>
          Load
        </Button>
        {hasDesktop && (
          <Button
            disabled={choose.busy}
            onClick={() => void choose.run({}).then((done) => latest.current.add(done?.files ?? []))}
          >
            Browse…
          </Button>
        )}
        <Button
          onClick={() =>
            void paste.run({}).then((done) => {
              if (done && done.pasted !== null) {
                latest.current.take({ files: [], pasted: done.pasted });
              }
            })
          }
        >
          Paste…
        </Button>
        {(files.length > 0 || pasted !== null) && (
          <Button kind="quiet" onClick={() => take({ files: [], pasted: null })}>
            Use default files
          </Button>
        )}
      </form>
      {window.lanyard && <p className={styles.muted}>Or drop files on this window.</p>}
      {paste.busy && (
        <p className={styles.muted} role="status">
          Paste the kubeconfig in Lanyard’s window. Its secrets don’t pass through this page.
        </p>
      )}
      {hasNoPath && (
        <p className={styles.warn} role="alert">
          A browser doesn’t tell where a dropped file is. Enter its path, or open it and use Paste…
        </p>
      )}
      {failure && <Failure failure={failure} />}
    </Section>
  );
}
