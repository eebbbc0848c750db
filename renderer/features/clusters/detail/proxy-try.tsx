import { type FormEvent, useRef, useState } from 'react';
import type { ShownTry } from '../../../../main/contract/shown-try.ts';
import { useAction } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { CommandLine } from '../../../ui/command-line.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { shellWord } from '../../../ui/shell-word.ts';
import { Failure, useLate } from '../../../ui/states.tsx';
import { spanText, useNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';
import own from './tried.module.css';
import { Headline, TriedRequest } from './tried-request.tsx';

/** Makes a request as a client’s would go, and shows what each step made of it. */
export function ProxyTry({ cluster }: { cluster: string }) {
  const action = useAction('proxy.try');
  const [path, setPath] = useState('');
  const [tried, setTried] = useState<{ shown: ShownTry; path: string } | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (action.busy) {
      return;
    }
    setTried(null);
    const shown = await action.run({ cluster, path: path.trim() });
    setTried(shown && { shown, path: path.trim() });
  };
  const cancel = () => {
    action.cancel();
    button.current?.focus();
  };
  return (
    <Section title="Try a request">
      <form className={own.ask} onSubmit={(event) => void run(event)}>
        <Field label="Path" hint="Below the cluster’s server, with its query. It is a GET request.">
          <TextInput
            mono
            placeholder="/version"
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
        </Field>
        <Button ref={button} type="submit" busy={action.busy}>
          Try
        </Button>
        {action.busy && <Button onClick={cancel}>Cancel</Button>}
      </form>
      <div className={own.result} aria-live="polite">
        {action.busy && <Waiting />}
        {action.failure && <Failure failure={action.failure} />}
        {tried && <Headline shown={tried.shown} />}
      </div>
      {tried && (
        <>
          <TriedRequest shown={tried.shown} />
          <CommandLine command={commandOf(cluster, tried.path)} />
        </>
      )}
    </Section>
  );
}

/** Quiet at first, as most answers come at once. */
function Waiting() {
  const isLate = useLate(400);
  const now = useNow(1000);
  const [since] = useState(now);
  return isLate ? (
    <p className={styles.faint}>
      Waiting for the answer, at most 60 s. <span aria-live="off">{spanText(now - since)}</span>
    </p>
  ) : null;
}

function commandOf(cluster: string, path: string): string {
  const words = ['lanyard', 'proxy', 'try', cluster, ...(path === '' ? [] : [path.replace(/^(?!\/)/, '/')])];
  return words.map(shellWord).join(' ');
}
