import { lockText } from '../../shell/lock-text.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { DurationSetting } from './duration-setting.tsx';
import { LockInApp } from './lock-in-app.tsx';
import styles from './settings.module.css';
import { useSetSetting, useSettings } from './use-settings.ts';

/** What opens the vault, and when it locks. */
export function Security() {
  const lock = useBroker((state) => state.sections.lock['']);
  const isInApp = useBroker((state) => state.sections.desktop[''] !== undefined);
  const { value, reload } = useSettings();
  const set = useSetSetting(reload);
  const close = useAction('lock.close');
  if (!lock) {
    return null;
  }
  const opens =
    lock.slots.length === 0 ? 'nothing is known' : lock.slots.map((slot) => slotNames[slot]).join(', ');
  const hasPassphrase = lock.slots.includes('passphrase');
  return (
    <div className={styles.parts}>
      <Section title="Lock">
        <KeyValues
          rows={[
            ['Now', lockText(lock).state],
            ['Unlocked with', opens],
            [
              'Protection',
              hasPassphrase
                ? 'Strong: the vault key is removed from memory while locked.'
                : 'Basic: one click unlocks it. Add a passphrase for real protection.',
            ],
          ]}
        />
        {lock.kind === 'open' && (
          <div className={styles.row}>
            <Button busy={close.busy} onClick={() => void close.run({})}>
              Lock now
            </Button>
          </div>
        )}
        {close.failure && <Failure failure={close.failure} />}
        {value && (
          <DurationSetting
            label="Auto-lock after"
            hint="Time without activity."
            value={value.settings.lock.afterIdle ?? ''}
            held={value.held.includes('lock')}
            presets={['5m', '15m', '30m', '1h', '4h', '8h']}
            none="Never"
            onSave={(afterIdle) =>
              set(
                {
                  name: 'lock',
                  value: { ...value.settings.lock, afterIdle: afterIdle === '' ? undefined : afterIdle },
                },
                { name: 'lock', value: value.settings.lock },
              )
            }
          />
        )}
        {value && isInApp && (
          <LockInApp
            lock={value.settings.lock}
            onChange={(change) => set({ name: 'lock', value: { ...value.settings.lock, ...change } })}
          />
        )}
      </Section>
      <Section title="Unlock methods">
        <p className={styles.text}>
          Passphrases and recovery keys are typed on a terminal, never in this page.
        </p>
        <dl className={styles.commands}>
          <Way
            what={hasPassphrase ? 'Change the passphrase' : 'Add a passphrase'}
            command={hasPassphrase ? 'lanyard passphrase change' : 'lanyard passphrase set'}
          />
          <Way what="Create a recovery key" command="lanyard recovery-key create" />
          <Way what="Export vault" command="lanyard vault export FILE" />
        </dl>
      </Section>
    </div>
  );
}

function Way({ what, command }: { what: string; command: string }) {
  return (
    <div>
      <dt>{what}</dt>
      <dd>
        <CommandLine command={command} />
      </dd>
    </div>
  );
}

const slotNames = {
  keychain: 'the keychain',
  passphrase: 'a passphrase',
  recoveryKey: 'a recovery key',
} as const;
