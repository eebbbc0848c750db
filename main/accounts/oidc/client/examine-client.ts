import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { closeCommand } from '../../../domain/text/close-command.ts';
import { type Observation, observe } from '../../../domain/text/finding.ts';
import type { Browser } from '../../../ports/browser.ts';
import type { Vault } from '../../../ports/vault.ts';
import { observeLife, observeRefusal } from '../../observe.ts';
import { clientCertificateOf } from '../session.ts';
import { readAssertion } from './assertion-file.ts';
import { keyAccounts } from './client-keys.ts';
import { type ClientProofDeps, readCertificate } from './read-client-proof.ts';

/** What `lanyard doctor` sees of what an account has on this machine: its client's proof, and its browser. */
export async function examineClient(
  proof: Omit<ClientProofDeps, 'vault'> & { vault: Pick<Vault, 'read' | 'state'> },
  { config, browser }: { config: Pick<OidcAccountConfig, 'browser'>; browser: Pick<Browser, 'finds'> },
): Promise<Observation[]> {
  return [
    ...(await examineAssertion(proof)),
    ...(await examineKeys(proof)),
    ...examineCertificate(proof),
    ...(await examineBrowser(proof.name, config.browser, browser)),
  ];
}

async function examineAssertion(of: ClientProofDeps): Promise<Observation[]> {
  const { clientAssertionFile: file } = of.config;
  if (file === undefined) {
    return [];
  }
  const read = await readAssertion(file, of);
  if (!read.ok) {
    return [observeRefusal('account.assertion', read)];
  }
  const { expiresAt, readByOthers } = read;
  // Another system renews it, often shortly before its end: a warning then would be for nothing.
  const good = observe('account.assertion').ok(
    `${file} holds a signed token${expiresAt === null ? '' : ' that has not expired'}`,
  );
  return [
    good,
    ...(readByOthers
      ? [observe('account.file').warning(`${file} may be read by other users`, closeCommand(file, 'file'))]
      : []),
  ];
}

/** What their own accounts don’t say of the keys: that this client has them. */
async function examineKeys({
  name,
  config,
  vault,
  heldKeys,
}: Pick<ClientProofDeps, 'name' | 'config' | 'heldKeys'> & {
  vault: Pick<Vault, 'state'>;
}): Promise<Observation[]> {
  const accounts = vault.state().kind === 'open' ? keyAccounts(config) : [];
  return Promise.all(
    accounts.map(async (account) => {
      const opened = await heldKeys.open(account);
      return opened.ok
        ? observe('account.keys').ok(`the client of ${name} proves itself with the key of ${account}`)
        : observeRefusal('account.keys', opened);
    }),
  );
}

function examineCertificate(
  of: Pick<ClientProofDeps, 'name' | 'config' | 'readPair' | 'clock'> & {
    vault: Pick<Vault, 'read' | 'state'>;
  },
): Observation[] {
  const { name, config, vault, clock } = of;
  const isInVault = vault.state().kind === 'open' && config.clientCertificateAccount === undefined;
  const pem = isInVault ? clientCertificateOf(vault.read(), name) : null;
  if (!pem) {
    return [];
  }
  const read = readCertificate(of, pem);
  const hint = `lanyard secret set ${name}/clientCertificate < FILE`;
  return [
    read.ok
      ? observeLife(
          'account.certificate',
          `the clientCertificate of ${name}`,
          read.certificate.life,
          clock.now(),
          hint,
        )
      : observeRefusal('account.certificate', read),
  ];
}

async function examineBrowser(
  name: string,
  program: OidcAccountConfig['browser'],
  browser: Pick<Browser, 'finds'>,
): Promise<Observation[]> {
  if (program === undefined) {
    return [];
  }
  const found = observe('account.loginBrowser');
  return (await browser.finds(program))
    ? [found.ok(`its login page opens in ${program[0]}`)]
    : [found.warning(`its browser ${program[0]} is not installed`, `change browser of ${name}`)];
}
