import { configJsonSchemaText } from '../main/config/json-schema.ts';
import { cellCode, markdownTable, markdownText } from './markdown-text.ts';

/** What of JSON Schema (draft 2020-12) the schema of config.yaml uses. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  required?: string[];
}

/** What each part of config.yaml is for: the schema describes keys, not parts. */
export const partTexts: Readonly<Record<string, string>> = {
  version: 'The format of this file. Always 1.',
  accounts: 'Your accounts, by name.',
  clusters: 'Your clusters, by name.',
  registries: 'Your container registries, by name.',
  inventories: 'Where clusters are published as ClusterProfiles, by name (KEP-4322, KEP-5339).',
  lock: 'When Lanyard locks.',
  history: 'How long the history is kept.',
  metrics: 'Metrics for Prometheus.',
  appearance: 'How the window looks.',
  notifications: 'Which notifications the desktop app shows. Each can be turned off.',
  updates: 'Updates of the desktop app.',
  terminal: 'The terminal that the window opens.',
  oidc: 'An account at an OpenID Connect provider.',
  staticToken: 'A token that does not change, in the vault or in a file.',
  clientCertificate: 'A client certificate with its private key, in the vault or in files.',
  registry: 'A login at a container registry. Its password or identity token is in the vault.',
  credentialProvider: 'A kubelet’s image credential provider that Lanyard runs (KEP-2133).',
  credentialHelper: 'Another credential helper of docker’s that Lanyard asks.',
  secretReader: 'Tokens in Secrets of a hub, one for each cluster (KEP-4322).',
  kubeconfigSecretReader: 'Kubeconfigs in Secrets of a hub, one for each cluster (KEP-4322).',
  aws: 'AWS keys, which sign requests and make EKS tokens. Exactly one of `accessKeyId`, `profile` and `webIdentity`.',
  awsProcess: 'AWS keys by a program that prints them as `credential_process` does.',
  awsEks: 'Tokens for an EKS cluster, made of another account’s AWS keys, without the AWS tools.',
  requestSigner: 'Your own program, which signs the requests of proxied clusters.',
  pkcs11:
    'A key and its certificate on a token: a smart card, a YubiKey, a TPM. The key signs there, for proxied clusters and for logins.',
  'proxy.chain':
    'A step of a proxied cluster’s chain. Each has one of `set`, `add`, `remove`, `impersonate` and `sign`.',
  'proxy.proxyConfig': 'What clients of a proxied cluster get that know KEP-2718.',
  execPlugin: 'An exec plugin that Lanyard runs in place of kubectl (KEP-541).',
};

/** docs/guide/config-reference.md: every key of config.yaml. Throws where a part has no text in `partTexts`. */
export function configReference(): string {
  const schema = JSON.parse(configJsonSchemaText()) as Schema;
  const { accounts, clusters, registries, inventories, ...others } = schema.properties ?? {};
  const kinds = (entryOf(accounts).anyOf ?? []).flatMap(({ properties }) => Object.entries(properties ?? {}));
  const settings = Object.entries(others).filter(([, part]) => part.properties !== undefined);
  return `${[
    '<!-- Made by npm run generate from main/contract/config. Do not edit. -->',
    '',
    '# Configuration reference',
    '',
    'Every key of config.yaml. [Configuration](configuration.md) explains where the file is, how it is checked, and which changes need your approval.',
    '',
    ...markdownTable(
      ['Key', 'Purpose'],
      Object.keys(schema.properties ?? {}).map((name) => [
        name === 'version' ? `\`${name}\`` : `[\`${name}\`](#${name})`,
        partText(name),
      ]),
    ),
    '',
    '## accounts',
    '',
    `${partText('accounts')} A name begins with a letter or digit, has letters, digits and \`. _ @ : / -\`, and is at most 128 characters long. Each account has one of the keys below, which is its kind.`,
    '',
    ...kinds.flatMap(([name, part]) => partLines(`### ${name}`, name, part)),
    ...partLines('## clusters', 'clusters', entryOf(clusters)),
    ...partLines('### proxy.chain', 'proxy.chain', proxyPart(clusters, 'chain').items ?? {}),
    ...partLines('### proxy.proxyConfig', 'proxy.proxyConfig', proxyPart(clusters, 'proxyConfig')),
    ...partLines('## registries', 'registries', entryOf(registries)),
    ...partLines('## inventories', 'inventories', entryOf(inventories)),
    ...settings.flatMap(([name, part]) => partLines(`## ${name}`, name, part)),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function partLines(heading: string, name: string, part: Schema): string[] {
  const required = new Set(part.required);
  const rows = Object.entries(part.properties ?? {}).map(([key, schema]) => [
    `\`${key}\``,
    typeText(schema),
    required.has(key) ? 'required' : defaultText(schema),
    markdownText(schema.description ?? '') + fieldsText(schema),
  ]);
  const header = ['Key', 'Value', 'Default', 'Meaning'];
  return [heading, '', partText(name), '', ...markdownTable(header, rows), ''];
}

function partText(name: string): string {
  const text = partTexts[name];
  if (text === undefined) {
    throw new Error(`scripts/config-reference.ts says nothing about ${name}`);
  }
  return text;
}

/** The schema of one entry of a map. */
function entryOf(map: Schema | undefined): Schema {
  return typeof map?.additionalProperties === 'object' ? map.additionalProperties : {};
}

function proxyPart(clusters: Schema | undefined, name: string): Schema {
  return entryOf(clusters).properties?.['proxy']?.properties?.[name] ?? {};
}

function typeText(schema: Schema): string {
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => cellCode(String(value))).join(', ');
  }
  switch (schema.type) {
    case 'string':
      return schema.format === 'uri' ? 'URL' : schema.format === 'base64' ? 'base64' : 'text';
    case 'boolean':
      return '`true`, `false`';
    case 'integer':
      return `${schema.minimum} to ${schema.maximum}`;
    case 'array':
      return schema.items?.type === 'object' ? 'list' : `list of ${listed(schema.items)}`;
    case 'object':
      return schema.properties ? 'keys' : `map of names to ${typeText(entryOf(schema))}`;
    case undefined:
      return 'any JSON';
    default:
      throw new Error(`scripts/config-reference.ts knows no ${schema.type}`);
  }
}

function listed(items: Schema | undefined): string {
  return items?.type === 'integer' ? `numbers, ${typeText(items)}` : 'texts';
}

function defaultText(schema: Schema): string {
  return schema.default === undefined ? '' : cellCode(JSON.stringify(schema.default));
}

/** The fields of a list's entries, or of what is no map, in the one cell that there is for them. */
function fieldsText(schema: Schema): string {
  const { properties, required: names } = schema.items ?? schema;
  const fields = Object.entries(properties ?? {});
  const required = new Set(names);
  const said = fields.map(([name, field]) => {
    const text = field.description === undefined ? '' : `: ${markdownText(field.description)}`;
    return `\`${name}\`${required.has(name) ? ' (required)' : ''}${text}`;
  });
  return said.length === 0 ? '' : ` ${schema.items ? 'Each has' : 'It has'}: ${said.join('; ')}`;
}
