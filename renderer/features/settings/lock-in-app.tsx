import { useBroker } from '../../stores/use-broker.tsx';
import { Field, Select, Switch } from '../../ui/field.tsx';
import styles from './settings.module.css';
import type { SettingsShown } from './use-settings.ts';

type LockSetting = SettingsShown['settings']['lock'];

export interface LockInAppProps {
  lock: LockSetting;
  onChange(change: Partial<LockSetting>): Promise<void>;
}

/**
 * The settings of the lock that need the desktop app: it sees the screen's lock, and can have the system check the
 * user.
 */
export function LockInApp({ lock, onChange }: LockInAppProps) {
  const platform = useBroker((state) => state.sections.broker['']?.platform);
  const check = platform === 'darwin' ? 'Touch ID' : platform === 'win32' ? 'Windows Hello' : null;
  return (
    <>
      <Switch
        calls
        label="Lock when the screen locks"
        hint="Programs in the background get nothing while you are away."
        checked={lock.withScreen === true}
        onCheckedChange={(on) => void onChange({ withScreen: on || undefined })}
      />
      {check === null ? (
        <p className={styles.text}>
          Linux has no biometric prompt: a click in Lanyard’s window stands in for it.
        </p>
      ) : (
        <Field
          label={`${check} asks`}
          hint="Where this machine has it. Without it, Lanyard’s approval window asks."
        >
          <Select
            calls
            value={lock.biometrics ?? 'unlock'}
            onValueChange={(biometrics) => void onChange({ biometrics })}
            options={[
              { value: 'never', label: 'Never' },
              { value: 'unlock', label: 'When Lanyard is unlocked without a passphrase' },
              { value: 'always', label: 'Unlock and every approval' },
            ]}
          />
        </Field>
      )}
    </>
  );
}
