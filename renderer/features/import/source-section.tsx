import { type FormEvent, useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './import.module.css';

/** The files that were read, and a way to choose others. */
export function SourceSection({
  plan,
  files,
  onFiles,
}: {
  plan: ImportPlanView | null;
  files: readonly string[];
  onFiles(files: readonly string[]): void;
}) {
  const [path, setPath] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const named = path.trim();
    if (named !== '') {
      onFiles([...new Set([...files, named])]);
      setPath('');
    }
  };
  const isAbsolute = path === '' || /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path.trim());
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
      <form className={styles.row} onSubmit={add}>
        <div className={styles.path}>
          <Field
            label="Import from a different file"
            error={isAbsolute ? null : 'Enter an absolute path, starting with /'}
            hint={files.length === 0 ? 'Used instead of the files kubectl reads.' : undefined}
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
        {files.length > 0 && (
          <Button kind="quiet" onClick={() => onFiles([])}>
            Use default files
          </Button>
        )}
      </form>
    </Section>
  );
}
