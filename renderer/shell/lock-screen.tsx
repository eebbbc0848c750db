import { Lock, LockKeyhole, ShieldAlert } from 'lucide-react';
import { sentence } from '../../main/contract/ui/sentence.ts';
import type { LockView } from '../../main/contract/ui/state.ts';
import { useImportRun } from '../features/import/import-run.tsx';
import { useBroker } from '../stores/use-broker.tsx';
import { useAction } from '../stores/use-call.ts';
import { Button } from '../ui/button.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { Failure } from '../ui/states.tsx';
import { lockWays } from './lock-ways.ts';
import { Notice } from './notice.tsx';

/** Replaces the views while no credentials are issued. Shows why, and the one button that unlocks. */
export function LockScreen({ lock }: { lock: LockView }) {
  const open = useAction('lock.open');
  const openWindow = useAction('window.open');
  const { run } = useImportRun();
  const canOpen = useBroker((state) => state.sections.broker['']?.windows !== 'none');
  const ways = lockWays(lock, canOpen);
  const direct = [ways.direct, open, () => void open.run({})] as const;
  const window = [ways.window, openWindow, () => void openWindow.run({ what: 'unlock' })] as const;
  const buttons = (ways.windowFirst ? [window, direct] : [direct, window]).filter(
    ([label]) => label !== null,
  );
  const failure = openWindow.failure ?? open.failure;
  const Icon = lock.kind === 'broken' ? ShieldAlert : lock.kind === 'none' ? LockKeyhole : Lock;
  return (
    <Notice
      title={ways.title}
      icon={<Icon />}
      actions={buttons.map(([label, { busy }, run], at) => (
        <Button key={label} kind={at === 0 ? 'primary' : 'plain'} busy={busy} onClick={run}>
          {label}
        </Button>
      ))}
      more={
        ways.command && (
          <>
            <p>{ways.direct || ways.window ? 'Or in a terminal:' : 'In a terminal:'}</p>
            <CommandLine command={ways.command} />
          </>
        )
      }
    >
      {lock.reason && <p>{sentence(lock.reason)}</p>}
      <p>{ways.meaning}</p>
      {run?.stage === 'held' && <p>Your import will continue once you unlock Lanyard.</p>}
      {lock.hint && lock.kind === 'broken' && <p>{sentence(lock.hint)}</p>}
      {failure && <Failure failure={failure} />}
    </Notice>
  );
}
