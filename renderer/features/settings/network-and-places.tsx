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
    return <Loading label="Loading settings…" />;
  }
  return (
    <div className={styles.parts}>
      <Section title="Proxies">
        {value.proxies.length === 0 ? (
          <p className={styles.text}>No proxy set. Accounts and clusters can have their own (proxyUrl).</p>
        ) : (
          <KeyValues
            rows={value.proxies.map(({ variable, value: text }) => [variable, <code key="v">{text}</code>])}
          />
        )}
      </Section>
      <Section title="Certificate authorities">
        <p className={styles.text}>
          {value.authorities === null
            ? 'The bundled CAs, used unless an account or cluster sets its own.'
            : `${value.authorities} default CAs (bundled and system), used unless an account or cluster sets its own.`}
        </p>
      </Section>
      <Section title="Browser">
        <p className={styles.text}>
          {value.canOpenBrowser
            ? 'Login pages open in this computer’s browser.'
            : 'No display found: logins use links or device codes.'}
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
