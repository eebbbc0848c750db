import { Plus } from 'lucide-react';
import { useState } from 'react';
import { urgency } from '../../../main/contract/ui/health-words.ts';
import type { ShortName } from '../../../main/contract/ui/short-name.ts';
import type { AccountView } from '../../../main/contract/ui/state.ts';
import { whoWaits } from '../../../main/contract/ui/wanted-words.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAccountNames } from '../../stores/use-short-names.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { leftText, useNow, useOfNow } from '../../ui/time/index.ts';
import { useLogin } from '../login/use-login.ts';
import { accountHealth, kindWords, stateText } from './account-words.ts';
import styles from './accounts.module.css';
import { AddAccount } from './add-account.tsx';
import { Removed } from './removed.tsx';

const columns = [
  { label: 'Account' },
  { label: 'Kind' },
  { label: 'State' },
  { label: 'As', breaks: true },
  { label: 'Expires' },
  { label: 'Used by', align: 'end' as const },
  { label: 'Action', align: 'end' as const },
];

/** With fewer the eye is faster than a search. */
const manyAccounts = 8;

/** All accounts. Those that need the user come first. */
export function AccountList() {
  const accounts = useBroker((state) => state.sections.accounts);
  const names = useAccountNames();
  const login = useLogin();
  const [adding, setAdding] = useState(false);
  const [search, setSearch] = useState('');
  const now = useNow(60_000);
  const sorted = Object.values(accounts).toSorted(
    (a, b) => rank(a, now) - rank(b, now) || a.name.localeCompare(b.name),
  );
  const shown = sorted.filter((each) => isFound(each, search));
  const add = (
    <Button
      kind={sorted.length === 0 ? 'primary' : 'plain'}
      icon={<Plus />}
      calls
      onClick={() => setAdding(true)}
    >
      Add an account
    </Button>
  );
  return (
    <Page
      title="Accounts"
      actions={
        sorted.length > 0 && (
          <>
            {sorted.length > manyAccounts && (
              <SearchField
                label="Search the accounts"
                value={search}
                onChange={setSearch}
                onDown={() => document.querySelector<HTMLElement>('[aria-label="Accounts"] a')?.focus()}
                onLeave={() => setSearch('')}
              />
            )}
            {add}
          </>
        )
      }
    >
      {sorted.length === 0 ? (
        <Empty
          title="No accounts yet"
          text={
            <>
              An account is a way to get credentials: a login at a provider, a token, a certificate, or a
              program that you use already. What your kubeconfig has can be{' '}
              <a href={hrefOf('import')}>imported</a>.
            </>
          }
          action={add}
        />
      ) : shown.length === 0 ? (
        <Empty
          title="No account matches"
          text={`Nothing is called “${search}”.`}
          action={<Button onClick={() => setSearch('')}>Clear the search</Button>}
        />
      ) : (
        <DataTable
          caption="Accounts"
          columns={columns}
          rows={shown.map((each) => ({
            key: each.name,
            cells: [
              <AccountName key="name" name={each.name} shown={names.get(each.name)} />,
              kindWords[each.kind].name,
              <State key="state" view={each} />,
              each.subject ?? '',
              <Ends key="ends" view={each} />,
              each.clusters.length + each.registries.length,
              needsLogin.has(each.state) && isLogin.has(each.kind) && (
                <Button key="login" size="small" calls onClick={() => login.open(each.name)}>
                  Log in<span className="unseen"> to {each.name}</span>
                </Button>
              ),
            ],
          }))}
        />
      )}
      <Removed />
      {adding && <AddAccount onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AccountName({ name, shown }: { name: string; shown: ShortName | undefined }) {
  return (
    <span className={styles.named}>
      <a className={styles.name} href={hrefOf('accounts', name)}>
        <Name text={shown?.short ?? name} full={name} />
      </a>
      {shown?.detail && <Name as="small" text={shown.detail} />}
    </span>
  );
}

/** A mark and its label. */
export function State({ view }: { view: AccountView }) {
  const how = useOfNow((now) => accountHealth(view, now));
  return (
    <span className={styles.state}>
      <StatusMark health={how} label={null} />
      {view.waitsAtToken ? 'Waiting for the token' : view.login ? 'Logging in…' : stateText(view, how)}
      {view.wanted && ` – ${whoWaits(view.wanted)}`}
    </span>
  );
}

/** When its credential expires. */
export function Ends({ view: { expiresAt, endIs } }: { view: AccountView }) {
  const text = useOfNow((now) => (expiresAt === null ? '' : leftText(expiresAt - now)));
  return <span>{endIs === 'read' && text !== '' ? `${text} (read from it)` : text}</span>;
}

const isLogin: ReadonlySet<AccountView['kind']> = new Set(['oidc', 'pkcs11']);
const needsLogin: ReadonlySet<AccountView['state']> = new Set(['loginNeeded', 'interrupted']);

/** By its name, its kind, its identity, and what it is for. */
function isFound({ name, kind, subject, issuer, clusters }: AccountView, search: string): boolean {
  const text = [name, kindWords[kind].name, subject ?? '', issuer ?? '', ...clusters]
    .join('\n')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What works and has no credential yet is as good as the rest. */
function rank(view: AccountView, now: number): number {
  const how = accountHealth(view, now);
  return urgency[how === 'idle' ? 'good' : how];
}
