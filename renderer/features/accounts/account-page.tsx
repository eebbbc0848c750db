import { LogIn, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { ShortName } from '../../../main/contract/ui/short-name.ts';
import type { AccountView } from '../../../main/contract/ui/state.ts';
import { aheadText } from '../../../main/contract/ui/time-texts.ts';
import { waitsAtTokenText } from '../../../main/contract/ui/token-words.ts';
import { addClusterHref } from '../../navigation/add-cluster.ts';
import { editedField } from '../../navigation/fix-href.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useCall } from '../../stores/use-call.ts';
import { useHashQuery } from '../../stores/use-hash-query.ts';
import { useClusterNames } from '../../stores/use-short-names.ts';
import { Back } from '../../ui/back.tsx';
import { Button } from '../../ui/button.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { Name } from '../../ui/name.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { useOfNow } from '../../ui/time/index.ts';
import { PendingNotice } from '../confirming/pending-notice.tsx';
import { useLogin } from '../login/use-login.ts';
import { Ends, State } from './account-list.tsx';
import { accountHealth, type Kind, kindWords, meaning } from './account-words.ts';
import styles from './accounts.module.css';
import { EditAccount } from './edit-account.tsx';
import { HelperSection } from './helper-section.tsx';
import { OidcSection } from './oidc-section.tsx';
import { PluginSection } from './plugin-section.tsx';
import { ReaderSection } from './reader-section.tsx';
import { RemoveAccount } from './remove-account.tsx';
import { SecretsSection } from './secrets-section.tsx';
import { TokenSection } from './token-section.tsx';

/** One account: its state, its settings, its clusters and registries. */
export function AccountPage({ name }: { name: string }) {
  const view = useBroker((state) =>
    Object.hasOwn(state.sections.accounts, name) ? state.sections.accounts[name] : null,
  );
  // Loads the details again when the state changes: they may have changed, too.
  const version = useBroker((state) => state.version);
  const details = useCall('account.show', { account: name }, { refreshOn: version, skip: !view });
  const login = useLogin();
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const [query, setQuery] = useHashQuery();
  const field = editedField(query);
  if (!view) {
    return (
      <Page title={name}>
        <Empty
          title="Account not found"
          text="It was removed, or its name was changed in config.yaml."
          action={<a href={hrefOf('accounts')}>All accounts</a>}
        />
      </Page>
    );
  }
  const isToken = view.kind === 'pkcs11';
  const isLogin = (view.kind === 'oidc' || isToken) && view.state !== 'held' && view.state !== 'locked';
  // The PIN of a token that was taken out is still known.
  const isLoggedIn = view.subject !== null || view.tokenIsOut;
  return (
    <Page
      title={name}
      actions={
        <>
          <Back href={hrefOf('accounts')} label="All accounts" />
          <Button icon={<Pencil />} calls onClick={() => setDialog('edit')} disabled={!details.value}>
            Edit
          </Button>
          <Button icon={<Trash2 />} calls onClick={() => setDialog('remove')}>
            Remove
          </Button>
          {isLogin && isLoggedIn && (
            <Button calls onClick={() => login.openLogout(name)}>
              Log out
            </Button>
          )}
          {isLogin && !(isToken && isLoggedIn) && (
            <Button
              kind={view.state === 'ready' || view.login ? 'plain' : 'primary'}
              icon={<LogIn />}
              calls
              onClick={() => login.open(name)}
            >
              {view.login ? 'Continue login' : isLoggedIn ? 'Log in again' : 'Log in'}
            </Button>
          )}
        </>
      }
    >
      <Section title="Status">
        <KeyValues
          rows={[
            ['Kind', kindWords[view.kind].name],
            ['State', <State key="state" view={view} />],
            ...(view.subject === null ? [] : [['As', view.subject] as const]),
            ...(view.expiresAt === null ? [] : [['Expires', <Ends key="ends" view={view} />] as const]),
            ...(view.clockOffSeconds === null ? [] : [['Clock', clockText(view.clockOffSeconds)] as const]),
          ]}
        />
        <Problem view={view} />
        {view.waitsAtToken && <p className={styles.waits}>{sentence(waitsAtTokenText)}</p>}
        {meaning(view) && <p className={styles.muted}>{meaning(view)}</p>}
      </Section>
      {details.value?.held && (
        <PendingNotice
          pending={{ what: 'account', served: details.value.held.served }}
          lines={details.value.held.lines}
        />
      )}
      {details.failure && <Failure failure={details.failure} onRetry={details.reload} />}
      {!details.value && !details.failure && <Loading label="Reading the account" />}
      {details.value && <Parts details={details.value} view={view} />}
      {(view.clusters.length > 0 || !onlyForRegistries.has(view.kind)) && (
        <Served
          title="Clusters using this account"
          place="clusters"
          names={view.clusters}
          action={
            <Button size="small" icon={<Plus />} calls onClick={() => goTo(addClusterHref(name))}>
              Add a cluster
            </Button>
          }
        />
      )}
      {(view.registries.length > 0 || onlyForRegistries.has(view.kind)) && (
        <Served title="Registries that it serves" place="registries" names={view.registries} />
      )}
      {(dialog === 'edit' || field !== null) && details.value && (
        <EditAccount
          details={details.value}
          field={field}
          onClose={() => {
            setDialog(null);
            setQuery('');
          }}
        />
      )}
      {dialog === 'remove' && <RemoveAccount name={name} onClose={() => setDialog(null)} />}
    </Page>
  );
}

/** In red only where something fails: a login that is due is no failure. */
function Problem({ view }: { view: AccountView }) {
  const how = useOfNow((now) => accountHealth(view, now));
  return (
    view.problem !== null && (
      <p className={how === 'bad' ? styles.problem : styles.muted}>{sentence(view.problem)}</p>
    )
  );
}

/** They have no credential for a cluster. */
const onlyForRegistries: ReadonlySet<Kind> = new Set(['registry', 'credentialProvider', 'credentialHelper']);

const none: ReadonlyMap<string, ShortName> = new Map();

function Served({
  title,
  place,
  names,
  action,
}: {
  title: string;
  place: 'clusters' | 'registries';
  names: readonly string[];
  /** What to do where there are none. */
  action?: ReactNode;
}) {
  const clusters = useClusterNames();
  const shown = place === 'clusters' ? clusters : none;
  return (
    <Section title={title}>
      {names.length === 0 ? (
        <div className={styles.stack}>
          <p className={styles.muted}>None yet.</p>
          {action && <div>{action}</div>}
        </div>
      ) : (
        <ul className={styles.clusters}>
          {names.map((name) => (
            <li key={name}>
              <a href={hrefOf(place, name)}>
                <Name text={shown.get(name)?.short ?? name} full={name} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Parts({ details, view }: { details: AccountDetails; view: AccountView }) {
  const { oidc, plugin, token, fields, secrets } = details;
  const values: Record<string, unknown> = { ...fields, ...tokenFileOf(fields['webIdentity']) };
  const files = Object.entries(fileLabels).flatMap(([key, label]) =>
    typeof values[key] === 'string' ? [[label, <code key={key}>{values[key]}</code>] as const] : [],
  );
  return (
    <>
      {oidc && <OidcSection account={details.name} oidc={oidc} />}
      {plugin && <PluginSection plugin={plugin} />}
      {token && <TokenSection token={token} fields={fields} view={view} />}
      <HelperSection fields={fields} />
      <ReaderSection kind={details.kind} fields={fields} />
      {files.length > 0 && (
        <Section title="Files">
          <KeyValues rows={files} />
        </Section>
      )}
      {secrets.length > 0 && <SecretsSection account={details.name} secrets={secrets} />}
    </>
  );
}

const fileLabels: Readonly<Record<string, string>> = {
  file: 'Token',
  certificateFile: 'Certificate',
  keyFile: 'Key',
  credentialsFile: 'Profile',
  tokenFile: 'Token for a role',
};

/** The file that is in a mapping of its own. */
function tokenFileOf(webIdentity: unknown): { tokenFile?: unknown } {
  return typeof webIdentity === 'object' && webIdentity !== null && 'tokenFile' in webIdentity
    ? { tokenFile: webIdentity.tokenFile }
    : {};
}

function goTo(href: string): void {
  window.location.hash = href;
}

function clockText(seconds: number): string {
  return `This machine’s clock is ${aheadText(seconds * 1000)} the provider’s`;
}
