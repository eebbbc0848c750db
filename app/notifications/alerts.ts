import { pendingItems, pendingText } from '../../main/contract/pending-words.ts';
import { runsProgram } from '../../main/contract/program-names.ts';
import { counted } from '../../main/contract/ui/count-text.ts';
import { attentionAfter, troubleWords } from '../../main/contract/ui/inventory-attention.ts';
import { questionSentence } from '../../main/contract/ui/question-words.ts';
import { sentence } from '../../main/contract/ui/sentence.ts';
import type { AccountView, PendingChangeView, UiState } from '../../main/contract/ui/state.ts';
import { leftText } from '../../main/contract/ui/time-texts.ts';
import { waitsAtTokenText } from '../../main/contract/ui/token-words.ts';
import { whoWaits } from '../../main/contract/ui/wanted-words.ts';
import type { Alert, Seen } from './alert.ts';
import { expiresSoon } from './expires-soon.ts';
import { bodyText, nameText, titleText } from './shown-text.ts';

/** A terminal shows the question already. Its user usually answers within this time. */
const atTerminalMilliseconds = 10_000;
/** Failures of a provider or plugin are reported after this many in a row, or after this long. */
const failuresTold = 3;
const failingMilliseconds = 300_000;
/** A cluster that rejects a new credential may just have restarted. */
const rejectingMilliseconds = 60_000;
/** A card that was pushed, or a reader that starts again, is back by then. */
const outMilliseconds = 2_000;
/** Changes that the user makes in Lanyard itself are approved almost immediately. */
const heldMilliseconds = 2_000;

const hasLogin = new Set<AccountView['kind']>(['oidc', 'pkcs11']);
const needsLogin = new Set<AccountView['state']>(['loginNeeded', 'interrupted']);

export interface AlertsContext {
  /** The state before this one. */
  before: Pick<Seen, 'accounts'>;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether an alert with this key existed before, whether the user was told or not. */
  isKnown(key: string): boolean;
}

/** All alerts of the state, whether the user was told or not. */
export function alertsIn(now: Seen, context: AlertsContext): Alert[] {
  const alerts = [
    ...questionsIn(now),
    ...Object.values(now.accounts).flatMap((account) => ofAccount(account, context)),
    ...rejectingIn(now),
    ...failingInventoriesIn(now),
    ...pendingItems(Object.values(now.held)).map(pendingAlert),
    ...importsIn(now),
  ];
  return alerts.map((alert) => ({ ...alert, title: titleText(alert.title), body: bodyText(alert.body) }));
}

function questionsIn({ questions, accounts }: Seen): Alert[] {
  return Object.values(questions)
    .filter(({ ended }) => ended === null)
    .map((question) => {
      const { id, caller, account, onTerminal } = question;
      const subject = accountOf(accounts, account)?.subject ?? null;
      return {
        key: `question ${id}`,
        switch: 'questions',
        title: `${nameText(caller.lineage[0] ?? 'A program')} waits for your answer`,
        body: `${questionSentence(question, subject)}.`,
        action: { kind: 'question', id },
        ...(onTerminal && { patienceMilliseconds: atTerminalMilliseconds, isQuiet: true }),
      };
    });
}

function ofAccount(account: AccountView, { before, at, isKnown }: AlertsContext): Alert[] {
  const { name, state, wanted, login, failures, problem, kind } = account;
  if (account.waitsAtToken) {
    return [tokenWaitsAlert(name)];
  }
  if (account.tokenIsOut) {
    return [tokenOutAlert(name)];
  }
  if (login) {
    return [];
  }
  if (wanted) {
    return [loginAlert(`wanted ${name}`, name, `${whoWaits(wanted)} until you do.`)];
  }
  if (needsLogin.has(state)) {
    const key = `login ${name}`;
    const was = accountOf(before.accounts, name);
    // An account that is new in the list, or older than this app's start, is reported when a program requests it. So is
    // an account whose session ended without a reason, because the user logged out.
    const wasGood = was?.state === 'ready' || was?.state === 'failing';
    const hasEnded = wasGood && (account.subject !== null || problem !== null);
    const wasWanted = was !== undefined && was.wanted !== null;
    if (!hasLogin.has(kind) || !(hasEnded || wasWanted || isKnown(key))) {
      return [];
    }
    const body =
      state === 'loginNeeded' && problem !== null
        ? `${sentence(problem)} Requests are denied until you log in.`
        : `${state === 'interrupted' ? 'Its last renewal was interrupted' : 'Not logged in'}: requests are denied until you do.`;
    // If the user was told that a program waits, the notification after it gave up makes no sound.
    const isQuiet = isKnown(`wanted ${name}`);
    return [{ ...loginAlert(key, name, body), isQuiet }];
  }
  if (failures > 0) {
    const title = runsProgram(kind)
      ? `The plugin of ${nameText(name)} is failing repeatedly`
      : `${nameText(name)} can’t be renewed`;
    return [
      {
        key: `failing ${name}`,
        switch: 'problems',
        title,
        body: problem ?? 'It is tried again.',
        action: { kind: 'show', route: `#/accounts/${encodeURIComponent(name)}` },
        patienceMilliseconds: failures >= failuresTold ? 0 : failingMilliseconds,
      },
    ];
  }
  const end = expiresSoon(account, at);
  return end === null ? [] : [expiringAlert(account, end - at)];
}

function loginAlert(key: string, account: string, body: string): Alert {
  return {
    key,
    switch: 'logins',
    title: `Log in to ${nameText(account)}`,
    body,
    action: { kind: 'login', account },
  };
}

function tokenWaitsAlert(account: string): Alert {
  return {
    key: `touch ${account}`,
    switch: 'logins',
    title: `The token of ${nameText(account)} waits for you`,
    body: sentence(waitsAtTokenText),
    action: { kind: 'show', route: `#/accounts/${encodeURIComponent(account)}` },
  };
}

function tokenOutAlert(name: string): Alert {
  return {
    key: `token ${name}`,
    switch: 'problems',
    title: `The token of ${nameText(name)} was taken out`,
    body: 'Its clusters can’t be reached until it is put in again. Nothing else is needed then.',
    action: { kind: 'show', route: `#/accounts/${encodeURIComponent(name)}` },
    patienceMilliseconds: outMilliseconds,
  };
}

function expiringAlert({ name, kind, problem }: AccountView, left: number): Alert {
  const why = problem === null ? '' : `${sentence(problem)} `;
  const remedy =
    kind === 'oidc' ? `${why}Log in again before then.` : 'It isn’t renewed automatically. Replace it.';
  const isLogin = kind === 'oidc';
  return {
    key: `ending ${name}`,
    switch: 'ending',
    title: `${nameText(name)} expires in ${leftText(left)}`,
    body: remedy,
    action: isLogin
      ? { kind: 'login', account: name }
      : { kind: 'show', route: `#/accounts/${encodeURIComponent(name)}` },
  };
}

function rejectingIn({ clusters }: Seen): Alert[] {
  return Object.values(clusters)
    .filter(({ state }) => state === 'rejecting')
    .map(({ name }) => ({
      key: `rejecting ${name}`,
      switch: 'problems',
      title: `${nameText(name)} rejects its credential`,
      body: 'The server answers 401 to a new one. Ask the cluster’s administrator.',
      action: { kind: 'show', route: `#/clusters/${encodeURIComponent(name)}` },
      patienceMilliseconds: rejectingMilliseconds,
    }));
}

function failingInventoriesIn({ inventories }: Seen): Alert[] {
  return Object.values(inventories).flatMap((inventory) => {
    const { name, profiles } = inventory;
    const after = attentionAfter(inventory);
    return after === null
      ? []
      : [
          {
            key: `inventory ${name}`,
            switch: 'problems' as const,
            title: `The inventory ${nameText(name)} can’t be read`,
            body: `${sentence(troubleWords(inventory))}${profiles.inUse > 0 ? ' The clusters in use stay as they were.' : ''}`,
            action: { kind: 'show' as const, route: `#/inventories/${encodeURIComponent(name)}` },
            patienceMilliseconds: after,
          },
        ];
  });
}

function pendingAlert(item: readonly [PendingChangeView, ...PendingChangeView[]]): Alert {
  const [{ what, name, change, inventory }, ...more] = item;
  const shown = nameText(name);
  const subjects = { program: `program of ${shown}’s plugin`, module: `module of ${shown}` };
  const subject = what === 'program' || what === 'module' ? subjects[what] : `${what} ${shown}`;
  return {
    // One for all profiles of an inventory: who writes them must not be able to notify the user again and again.
    key: inventory === undefined ? `held ${what} ${name} ${change}` : `profiles ${inventory}`,
    switch: 'changes',
    title:
      more.length > 0
        ? `${counted(item.length, 'cluster')} of ${nameText(inventory ?? '')} are new or were changed`
        : change === 'new'
          ? `There is a new ${subject}`
          : `The ${subject} was changed`,
    body: pendingText(item),
    action: { kind: 'confirm' },
    patienceMilliseconds: heldMilliseconds,
  };
}

function importsIn({ imports }: Seen): Alert[] {
  return Object.values(imports).flatMap(({ file, importable }) =>
    importable.map((user) => ({
      key: `import ${file} ${user}`,
      switch: 'changes' as const,
      title: `${nameText(user)} is new in ${fileName(file)}`,
      body: 'Lanyard can hold its credential in place of that file.',
      action: { kind: 'show' as const, route: '#/import' },
      patienceMilliseconds: heldMilliseconds,
    })),
  );
}

/** `.kube/config`, without the folders above. */
function fileName(file: string): string {
  return nameText(file.split(/[/\\]/).slice(-2).join('/'));
}

function accountOf(accounts: UiState['accounts'], name: string): AccountView | undefined {
  return Object.hasOwn(accounts, name) ? accounts[name] : undefined;
}
