import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { sentence } from '../../main/contract/ui/sentence.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { Button } from '../ui/button.tsx';
import { Strip } from '../ui/strip.tsx';
import styles from './config-problems.module.css';

const few = 2;

/** The faults of config.yaml: file, line, message. */
export function ConfigProblems() {
  const problems = useBroker((state) => state.sections.problems['']?.config);
  const [all, setAll] = useState(false);
  if (!problems || problems.length === 0) {
    return null;
  }
  const errors = problems.filter(({ severity }) => severity === 'error');
  const shown = [...errors, ...problems.filter((each) => !errors.includes(each))].slice(
    0,
    all ? undefined : few,
  );
  return (
    <Strip
      tone={errors.length > 0 ? 'bad' : 'soon'}
      label="Problems in config.yaml"
      icon={<CircleAlert />}
      actions={
        problems.length > few && (
          <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${problems.length}`}
          </Button>
        )
      }
    >
      <strong>
        {errors.length > 0
          ? 'config.yaml has errors, so parts of it are ignored. Fix and save the file; Lanyard reloads it automatically.'
          : 'config.yaml has a warning. Your settings still apply.'}
      </strong>
      <ul className={styles.list}>
        {shown.map(({ file, line, message }) => (
          <li key={`${file}:${line}:${message}`}>
            <code>{line === null ? file : `${file}:${line}`}</code> {sentence(message)}
          </li>
        ))}
      </ul>
    </Strip>
  );
}
