import type { CallInput } from '../../../main/contract/ui/calls/index.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Field, Select, Switch } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { NotificationPermission } from '../notifications/notification-permission.tsx';
import { CommandLineTools } from './command-line-tools.tsx';
import { DurationSetting } from './duration-setting.tsx';
import { KubectlContexts } from './kubectl-contexts.tsx';
import styles from './settings.module.css';
import { TextSetting } from './text-setting.tsx';
import { ThisApp } from './this-app.tsx';
import { type SettingsShown, useSetSetting, useSettings } from './use-settings.ts';

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Appearance, notifications, and how long the history is kept. */
export function General() {
  const { value, failure, reload } = useSettings();
  const set = useSetSetting(reload);
  if (failure) {
    return <Failure failure={failure} onRetry={reload} />;
  }
  return value ? <Form shown={value} set={set} /> : <Loading label="Loading settings…" />;
}

interface FormProps {
  shown: SettingsShown;
  set(input: CallInput<'settings.set'>, before?: CallInput<'settings.set'>): Promise<void>;
}

function Form({ shown: { settings, held }, set }: FormProps) {
  const isDesktop = useBroker((state) => state.sections.desktop['']?.notifies ?? false);
  const { appearance, notifications, history, metrics } = settings;
  const notify = (change: Partial<typeof notifications>) =>
    void set({ name: 'notifications', value: { ...notifications, ...change } });
  return (
    <div className={styles.parts}>
      <ThisApp />
      <Section title="Appearance">
        <Field label="Theme">
          <Select
            calls
            value={appearance.theme}
            onValueChange={(theme) => void set({ name: 'appearance', value: { theme } })}
            options={themes}
          />
        </Field>
      </Section>
      <Section title="Notifications">
        <Switch
          calls
          label="Approval requests"
          {...(!isDesktop && { hint: 'When this page is in the background.' })}
          checked={notifications.questions}
          onCheckedChange={(questions) => notify({ questions })}
        />
        <Switch
          calls
          label="Login needed"
          checked={notifications.logins}
          onCheckedChange={(logins) => notify({ logins })}
        />
        {isDesktop ? (
          <>
            <Switch
              calls
              label="Credential expiring soon"
              checked={notifications.ending}
              onCheckedChange={(ending) => notify({ ending })}
            />
            <Switch
              calls
              label="Repeated failures"
              checked={notifications.problems}
              onCheckedChange={(problems) => notify({ problems })}
            />
            <Switch
              calls
              label="Config changes and new clusters"
              checked={notifications.changes}
              onCheckedChange={(changes) => notify({ changes })}
            />
          </>
        ) : (
          <NotificationPermission />
        )}
      </Section>
      <CommandLineTools />
      <KubectlContexts />
      <Section title="History">
        <DurationSetting
          label="Keep history for"
          hint="Calls, renewals and logins older than this are removed."
          value={history.keep}
          held={held.includes('history')}
          presets={['7d', '30d', '90d', '180d', '365d']}
          onSave={(keep) => set({ name: 'history', value: { keep } }, { name: 'history', value: history })}
        />
      </Section>
      <Section title="Metrics">
        <TextSetting
          label="Prometheus endpoint"
          hint="A loopback address with a port, such as 127.0.0.1:9464. Leave empty to turn off."
          value={metrics.listen ?? ''}
          held={held.includes('metrics')}
          pattern={/^((127\.0\.0\.1|\[::1\]):[1-9]\d{0,4})?$/}
          expected="127.0.0.1 or [::1], a colon, and a port"
          onSave={(listen) =>
            set(
              { name: 'metrics', value: listen === '' ? {} : { listen } },
              { name: 'metrics', value: metrics },
            )
          }
        />
      </Section>
    </div>
  );
}
