import type { ReactNode } from 'react';
import type { PluginView } from '../../../main/contract/ui/calls/accounts.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import styles from './accounts.module.css';

type Program = PluginView['program'];
export type Row = readonly [label: string, value: ReactNode];

const confirmedWords: Readonly<Record<Program['confirmed'], string>> = {
  yes: 'Yes',
  no: 'No: it isn’t run until you approve it',
  firstRun: 'On first run',
  unknown: 'Unknown while locked',
};

/** Where a file that runs is, whose it is, and whether the user confirmed it. `given`: the path that was shown. */
export function programRows({ path, target, owner, confirmed }: Program, given?: string): Row[] {
  return [
    ...(path !== null && path === given
      ? []
      : [['Resolves to', path === null ? 'Nothing' : <code key="path">{path}</code>] as const]),
    ...(target !== null && target !== path
      ? [['A link to', <code key="target">{target}</code>] as const]
      : []),
    ...(owner === null ? [] : [['Owner', owner] as const]),
    ['Approved', confirmedWords[confirmed]],
  ];
}

/** What is wrong with it, and its digest. */
export function ProgramNotes({ program: { problem, sha256 } }: { program: Program }) {
  return (
    <>
      {problem !== null && <p className={styles.problem}>{sentence(problem)}</p>}
      {sha256 !== null && (
        <details className={styles.details}>
          <summary>SHA-256</summary>
          <code>{sha256}</code>
        </details>
      )}
    </>
  );
}
