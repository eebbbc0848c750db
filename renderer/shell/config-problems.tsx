import { CircleAlert } from 'lucide-react';
import { useContext, useState } from 'react';
import { sentence } from '../../main/contract/ui/sentence.ts';
import type { ProblemsView } from '../../main/contract/ui/state.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { Button } from '../ui/button.tsx';
import { Strip, StripPlaceContext } from '../ui/strip.tsx';
import styles from './config-problems.module.css';

const few = 2;

export type ConfigProblem = ProblemsView['config'][number];

/** The problems of config.yaml: its errors, and its warnings. */
export function useConfigProblems(): { errors: ConfigProblem[]; warnings: ConfigProblem[] } {
  const problems = useBroker((state) => state.sections.problems['']?.config) ?? [];
  return {
    errors: problems.filter(({ severity }) => severity === 'error'),
    warnings: problems.filter(({ severity }) => severity === 'warning'),
  };
}

/** At least one, all of one severity: file, line, message. */
export function ConfigProblems({ problems }: { problems: readonly ConfigProblem[] }) {
  const [all, setAll] = useState(false);
  const { folded } = useContext(StripPlaceContext);
  const isBad = problems[0]?.severity === 'error';
  return (
    <Strip
      tone={isBad ? 'bad' : 'soon'}
      label={isBad ? 'Errors in config.yaml' : 'Warnings about config.yaml'}
      icon={<CircleAlert />}
      actions={
        problems.length > few && (
          <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show two' : `Show all ${problems.length}`}
          </Button>
        )
      }
    >
      <strong>
        {isBad
          ? 'config.yaml has errors, so parts of it are ignored. Fix and save the file; Lanyard reloads it automatically.'
          : `config.yaml has ${problems.length === 1 ? 'a warning' : `${problems.length} warnings`}. Your settings still apply.`}
      </strong>
      <ul className={folded ? undefined : styles.list}>
        {problems.slice(0, all ? undefined : few).map(({ file, line, message }) => (
          <li key={`${file}:${line}:${message}`}>
            <code>{line === null ? file : `${file}:${line}`}</code> {sentence(message)}
          </li>
        ))}
      </ul>
    </Strip>
  );
}
