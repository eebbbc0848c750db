import { TriangleAlert } from 'lucide-react';
import type { DesktopView } from '../../../main/contract/ui/state.ts';
import { clockText } from '../../../main/contract/ui/time-texts.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './settings.module.css';
import { askedInWindow } from './use-settings.ts';

/** The settings of the desktop app. Nothing in a browser. */
export function ThisApp() {
  const desktop = useBroker((state) => state.sections.desktop['']);
  const version = useBroker((state) => state.sections.broker['']?.version);
  return desktop ? (
    <Section title="This app">
      <StartAtLogin on={desktop.startsAtLogin} />
      {!desktop.hasTray && (
        <p className={styles.text}>
          This desktop has no system tray. Start Lanyard again to reopen its window.
        </p>
      )}
      <Pause until={desktop.notificationsPausedUntil} />
      {desktop.update.kind !== 'off' && <DailyLook />}
      <Update update={desktop.update} version={version ?? ''} />
    </Section>
  ) : null;
}

function StartAtLogin({ on }: { on: boolean | null }) {
  const set = useAction('desktop.setStartAtLogin');
  return on === null ? (
    <p className={styles.text}>Start at login isn’t supported on this system.</p>
  ) : (
    <>
      <Switch
        calls
        label="Start when you log in"
        hint="Without a window, so that credentials are there when a program asks."
        checked={on}
        disabled={set.busy}
        onCheckedChange={(wanted) => void set.run({ on: wanted })}
      />
      {set.failure && <Failure failure={set.failure} />}
    </>
  );
}

function Pause({ until }: { until: number | null }) {
  const pause = useAction('desktop.pauseNotifications');
  const toast = useToast();
  const run = async (minutes: number | null) => {
    if ((await pause.run({ minutes }))?.asks) {
      toast.show(...askedInWindow);
    }
  };
  return (
    <>
      <p className={styles.text}>
        {until === null ? 'Notifications are on.' : `Notifications pause until ${clockText(until)}.`}
      </p>
      <div className={styles.row}>
        <Button busy={pause.busy} onClick={() => void run(until === null ? 60 : null)}>
          {until === null ? 'Pause for an hour' : 'Resume'}
        </Button>
      </div>
      {pause.failure && <Failure failure={pause.failure} />}
    </>
  );
}

function DailyLook() {
  const isWanted = useBroker((state) => state.sections.appearance['']?.updates.check ?? true);
  const set = useAction('settings.set');
  const toast = useToast();
  const run = async (check: boolean) => {
    if ((await set.run({ name: 'updates', value: { check } }))?.asks) {
      toast.show(...askedInWindow);
    }
  };
  return (
    <>
      <Switch
        calls
        label="Check for updates daily"
        hint="Updates are never downloaded without asking."
        checked={isWanted}
        disabled={set.busy}
        onCheckedChange={(check) => void run(check)}
      />
      {set.failure && <Failure failure={set.failure} />}
    </>
  );
}

function Update({ update, version }: { update: DesktopView['update']; version: string }) {
  const check = useAction('desktop.checkForUpdate');
  const fetch = useAction('desktop.fetchUpdate');
  const install = useAction('desktop.installUpdate');
  const failure = check.failure ?? fetch.failure ?? install.failure;
  return (
    <>
      <p className={styles.text} aria-live="polite">
        Version {version}. {update.kind === 'failed' ? <Failed why={update.message} /> : updateText(update)}
      </p>
      {update.kind === 'available' && update.notes !== null && <p className={styles.notes}>{update.notes}</p>}
      {update.kind === 'fetching' && (
        <progress aria-label={`Downloading ${update.version}`} max={1} value={update.share} />
      )}
      <div className={styles.row}>
        {(update.kind === 'idle' || update.kind === 'failed') && (
          <Button busy={check.busy} onClick={() => void check.run({})}>
            {update.kind === 'failed' ? 'Try again' : 'Check for updates'}
          </Button>
        )}
        {update.kind === 'available' && (
          <Button busy={fetch.busy} onClick={() => void fetch.run({})}>
            Download {update.version}
          </Button>
        )}
        {update.kind === 'ready' && (
          <Button busy={install.busy} onClick={() => void install.run({})}>
            Install {update.version} and start again
          </Button>
        )}
      </div>
      {failure && <Failure failure={failure} />}
    </>
  );
}

function Failed({ why }: { why: string }) {
  return (
    <span className={styles.failed}>
      <TriangleAlert size="1em" aria-hidden />
      {why}
    </span>
  );
}

function updateText(update: Exclude<DesktopView['update'], { kind: 'failed' }>): string {
  switch (update.kind) {
    case 'off':
      return 'This build doesn’t check for updates.';
    case 'idle':
      return update.checkedAt === null
        ? 'Not checked yet.'
        : `Up to date (checked ${clockText(update.checkedAt)}).`;
    case 'checking':
      return 'Checking for updates…';
    case 'available':
      return `${update.version} is available.`;
    case 'fetching':
      return `Downloading ${update.version}: ${Math.round(update.share * 100)}%.`;
    case 'ready':
      return `${update.version} is ready to install.`;
  }
}
