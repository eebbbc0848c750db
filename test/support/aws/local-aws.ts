import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SsoPortal, startSsoPortal } from './sso-portal.ts';
import { type Sts, startSts } from './sts.ts';

/**
 * What the AWS CLI and SDKs find in a home, all of it answered on this machine: a local STS, a stand-in for IAM Identity
 * Center’s portal, and `.aws/config` with these profiles (region eu-west-1):
 *
 * - `static-work`: an access key in `.aws/credentials`
 * - `sso-work`: a role by IAM Identity Center, with an access token in `.aws/sso/cache` as after `aws sso login`
 * - `assumed-work`, `sso-assumed`: role `deploy`, assumed with the keys of `static-work`, of `sso-work`
 * - `process-work`: a `credential_process` that prints the file `processAnswer`
 * - `web-work`: role `deploy` for the web identity token in the file `webIdentityToken`
 *
 * Use: `const aws = await startLocalAws(home)`, then run a program with HOME=`home` and no other variable of AWS’s but
 * `aws.environment`: `aws configure export-credentials --profile sso-work --format process` (`findAwsCli` has the
 * program). It keeps what it got in `.aws/cli/cache`, and gives that again until 15 minutes before its end:
 * `aws.forget()` empties that. STS assumes any role for anyone (sts.ts); the portal knows its one access token (sso-portal.ts).
 */
export interface LocalAws {
  readonly environment: Readonly<Record<string, string>>;
  readonly sts: Sts;
  readonly sso: SsoPortal;
  /** Of `static-work`. */
  readonly keys: { accessKeyId: string; secretAccessKey: string };
  readonly roleArn: string;
  /** A path; the file says `process-work`’s answer: `keys` until it is written anew. */
  readonly processAnswer: string;
  /** A path. */
  readonly webIdentityToken: string;
  /** Empties the AWS CLI’s cache of role credentials. */
  forget(): void;
  dispose(): Promise<void>;
}

const sessionName = 'work';
const region = 'eu-west-1';

export async function startLocalAws(home: string): Promise<LocalAws> {
  const sts = await startSts();
  const sso = await startSsoPortal();
  const keys = {
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
  };
  const roleArn = 'arn:aws:iam::123456789012:role/deploy';
  const write = (name: string, text: string) => {
    const file = join(home, '.aws', name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const processAnswer = write(
    'process-answer.json',
    JSON.stringify({ Version: 1, AccessKeyId: keys.accessKeyId, SecretAccessKey: keys.secretAccessKey }),
  );
  const webIdentityToken = write('web-identity-token', randomBytes(30).toString('base64url'));
  const sections = {
    [`sso-session ${sessionName}`]: {
      sso_start_url: 'https://work.example/start',
      sso_region: region,
      sso_registration_scopes: 'sso:account:access',
    },
    'profile static-work': {},
    'profile sso-work': {
      sso_session: sessionName,
      sso_account_id: sso.accountId,
      sso_role_name: sso.roleName,
    },
    'profile assumed-work': { role_arn: roleArn, source_profile: 'static-work' },
    'profile sso-assumed': { role_arn: roleArn, source_profile: 'sso-work' },
    'profile process-work': { credential_process: `/bin/cat ${processAnswer}` },
    'profile web-work': { role_arn: roleArn, web_identity_token_file: webIdentityToken },
  };
  const profiles = Object.entries(sections).map(([name, settings]) => {
    const all = name.startsWith('profile ') ? { region, services: 'local', ...settings } : settings;
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}\n`);
    return `[${name}]\n${lines.join('')}`;
  });
  const services = Object.entries({ sts, sso }).map(
    ([name, { endpoint }]) => `${name} =\n  endpoint_url = ${endpoint}\n`,
  );
  write('config', [...profiles, `[services local]\n${services.join('')}`].join('\n'));
  write(
    'credentials',
    `[static-work]\naws_access_key_id = ${keys.accessKeyId}\naws_secret_access_key = ${keys.secretAccessKey}\n`,
  );
  const cached = createHash('sha1').update(sessionName).digest('hex');
  const inEightHours = new Date(Date.now() + 8 * 3_600_000).toISOString().replace(/\.\d+/, '');
  write(
    join('sso', 'cache', `${cached}.json`),
    JSON.stringify({
      startUrl: 'https://work.example/start',
      region,
      accessToken: sso.accessToken,
      expiresAt: inEightHours,
    }),
  );
  return {
    // Without it a missing credential would be looked for at an address of the network’s.
    environment: { HOME: home, AWS_EC2_METADATA_DISABLED: 'true' },
    sts,
    sso,
    keys,
    roleArn,
    processAnswer,
    webIdentityToken,
    forget: () => rmSync(join(home, '.aws', 'cli'), { recursive: true, force: true }),
    dispose: async () => {
      await sso.dispose();
      await sts.dispose();
    },
  };
}
