import { Secret } from '../../base/secret.ts';
import { type AwsKeys, accessKeyIdText } from '../credential/aws-keys.ts';
import type { IniSections } from './ini.ts';

/** What a profile of the AWS tools gives its keys by. */
export type AwsProfile =
  | { kind: 'static'; keys: AwsKeys; file: 'credentials' | 'config' }
  /** `credential_process`: a command line. */
  | { kind: 'process'; line: string }
  /** Something that only the AWS tools do; `what`: the option that says so. */
  | { kind: 'other'; what: string }
  /** It has one half of a key. */
  | { kind: 'half'; missing: string }
  /** There is such a profile, and it has no keys. */
  | { kind: 'keyless' }
  | { kind: 'missing' };

/** Of each kind of profile that keys are made for, one option that no other has. */
const others = [
  'role_arn',
  'web_identity_token_file',
  'sso_session',
  'sso_start_url',
  'sso_account_id',
  'login_session',
];

const [idOption, keyOption] = ['aws_access_key_id', 'aws_secret_access_key'];
/** The older name counts first, as in botocore. */
const tokenOptions = ['aws_security_token', 'aws_session_token'];

/**
 * How the AWS tools get the keys of a profile, in botocore’s order (botocore.credentials, create_credential_resolver): a role
 * or a session before static keys, those of `credentials` before a process, and a process before those of `config`. Null: there
 * is no such file.
 */
export function awsProfile(
  name: string,
  { credentials, config }: { credentials: IniSections | null; config: IniSections | null },
): AwsProfile {
  const own = credentials?.get(name);
  const configured = config === null ? undefined : configuredProfile(config, name);
  if (!own && !configured) {
    return { kind: 'missing' };
  }
  const all = new Map([...(configured ?? []), ...(own ?? [])]);
  const other = others.find((option) => all.has(option));
  if (other !== undefined) {
    return { kind: 'other', what: other };
  }
  const line = all.get('credential_process');
  const process: AwsProfile | null = line === undefined ? null : { kind: 'process', line };
  return staticKeys(own, 'credentials') ?? process ?? staticKeys(configured, 'config') ?? { kind: 'keyless' };
}

/** In `config` a profile’s section is `[profile NAME]`, with quotes where the name has spaces; the first one is `[default]`. */
function configuredProfile(config: IniSections, name: string): ReadonlyMap<string, string> | undefined {
  const titles = [`profile ${name}`, `profile "${name}"`, `profile '${name}'`];
  const found = [...config].findLast(
    ([title]) => titles.includes(title.replace(/\s+/, ' ')) || (name === 'default' && title === name),
  );
  return found?.[1];
}

function staticKeys(
  options: ReadonlyMap<string, string> | undefined,
  file: 'credentials' | 'config',
): AwsProfile | null {
  const accessKeyId = options?.get(idOption);
  if (!options || accessKeyId === undefined) {
    return null;
  }
  const secret = options.get(keyOption);
  if (secret === undefined || secret === '' || !accessKeyIdText.test(accessKeyId)) {
    return { kind: 'half', missing: accessKeyIdText.test(accessKeyId) ? keyOption : idOption };
  }
  const token = tokenOptions.map((option) => options.get(option)).find((value) => value !== undefined);
  return {
    kind: 'static',
    file,
    keys: {
      accessKeyId,
      secretAccessKey: new Secret(secret),
      sessionToken: token === undefined || token === '' ? null : new Secret(token),
    },
  };
}
