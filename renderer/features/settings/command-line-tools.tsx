import { useState } from 'react';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { ToolsView } from '../../../main/contract/ui/state.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './settings.module.css';

interface Done {
  title: string;
  paths: readonly string[];
  left: readonly { path: string; why: string }[];
  notes: readonly string[];
}

/** `lanyard` and kubectl’s plugin in the user’s terminals. One click installs or removes them. */
export function CommandLineTools() {
  const tools = useBroker((state) => state.sections.tools['']);
  const install = useAction('tools.install');
  const remove = useAction('tools.remove');
  const [done, setDone] = useState<Done | null>(null);
  if (!tools) {
    return null;
  }
  const onInstall = async () => {
    remove.reset();
    const report = await install.run({});
    setDone(report && { title: 'Installed', paths: report.made, left: report.left, notes: report.notes });
  };
  const onRemove = async () => {
    install.reset();
    const report = await remove.run({});
    setDone(report && { title: 'Removed', paths: report.removed, left: report.left, notes: [] });
  };
  const failure = install.failure ?? remove.failure;
  return (
    <Section title="Command line tools">
      <p className={styles.text}>{health(tools)}</p>
      {tools.trouble.map(({ path, what }) => (
        <p key={path} className={styles.text}>
          <code>{path}</code>: {what}
        </p>
      ))}
      <div className={styles.row}>
        {(tools.kind === 'none' || tools.kind === 'damaged') && (
          <Button busy={install.busy} onClick={() => void onInstall()}>
            {tools.kind === 'none' ? 'Install' : 'Repair'}
          </Button>
        )}
        {(tools.kind === 'installed' || tools.kind === 'damaged') && (
          <Button busy={remove.busy} onClick={() => void onRemove()}>
            Remove
          </Button>
        )}
      </div>
      {failure && <Failure failure={failure} />}
      {done && <Report {...done} />}
      {tools.kind !== 'none' && !tools.isOnPath && tools.pathLine !== null && (
        <>
          <p className={styles.text}>
            If a new terminal does not find <code>lanyard</code>, add this line to your shell’s start file:
          </p>
          <CommandLine command={tools.pathLine} />
        </>
      )}
    </Section>
  );
}

function health({ kind, folder }: ToolsView): string {
  switch (kind) {
    case 'none':
      return `Installs lanyard, “kubectl lanyard” and shell completion in ${folder}.`;
    case 'installed':
      return `Installed in ${folder}.`;
    case 'packaged':
      return `They came with Lanyard’s package, in ${folder}.`;
    case 'damaged':
      return `Installed in ${folder}, but some files were changed.`;
  }
}

/** What was done, and which files were not changed. */
function Report({ title, paths, left, notes }: Done) {
  return (
    <div role="status" className={styles.text}>
      {paths.length > 0 && <p>{title}:</p>}
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
        {left.map(({ path, why }) => (
          <li key={path}>
            <code>{path}</code> was left as it is: {why}
          </li>
        ))}
        {notes.map((note) => (
          <li key={note}>{sentence(note)}</li>
        ))}
      </ul>
    </div>
  );
}
