import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import styles from './settings.module.css';
import { useSettings } from './use-settings.ts';

/** The settings from Lanyard's environment, and the locations of its files. */
export function NetworkAndPlaces() {
  const { value, failure, reload } = useSettings();
  if (failure) {
    return <Failure failure={failure} onRetry={reload} />;
  }
  if (!value) {
    return <Loading label="Reading the settings…" />;
  }
  return (
    <div className={styles.form}>
      <Section title="Proxies">
        {value.proxies.length === 0 ? (
          <p className={styles.text}>
            None in the broker’s environment: servers are reached directly. An account or a cluster can have
            its own (proxyUrl).
          </p>
        ) : (
          <KeyValues
            rows={value.proxies.map(({ variable, value: text }) => [variable, <code key="v">{text}</code>])}
          />
        )}
      </Section>
      <Section title="Certificate authorities">
        <p className={styles.text}>
          {value.authorities === null
            ? 'The runtime’s own list counts where an account or a cluster names none.'
            : `${value.authorities} are trusted where an account or a cluster names none: the runtime’s own and the system’s.`}
        </p>
      </Section>
      <Section title="Browser">
        <p className={styles.text}>
          {value.canOpenBrowser
            ? 'The broker can open login pages on this machine’s display.'
            : 'The broker finds no display: login pages are shown as addresses, and device codes are used where an account allows both.'}
        </p>
      </Section>
      <Section title="Files">
        <KeyValues rows={value.paths.map(({ what, path }) => [what, <code key="p">{path}</code>])} />
      </Section>
      <Section title="Versions">
        <KeyValues rows={value.versions.map(({ what, version }) => [what, version])} />
      </Section>
    </div>
  );
}
