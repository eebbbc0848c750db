import { visibleText } from '../../../../domain/text/visible-text.ts';
import { parseGoTime } from './go-time.ts';
import type { Tree, Unreadable } from './tree.ts';

const group = 'client.authentication.k8s.io';
/** What client-go fills in where a plugin says no version: no configuration's. */
const internal = `${group}/__internal`;
const known = new Set([`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`, internal]);

/** What client-go has of an ExecCredential's status; empty texts where it says nothing. */
export interface CredentialStatus {
  token: string;
  clientCertificateData: string;
  clientKeyData: string;
  /** Milliseconds since 1970. */
  expirationTimestamp: number | null;
}

export interface ExecCredential {
  apiVersion: string;
  status: CredentialStatus | null;
}

/**
 * An ExecCredential as apimachinery's decoder makes it: `kind` and `apiVersion` are first looked for in any case,
 * and all names then only as they are written; a member that comes again is laid over the one before, and null leaves
 * a text as it was.
 */
export function toExecCredential(tree: Tree): { ok: true; credential: ExecCredential } | Unreadable {
  try {
    const { kind, apiVersion } = typeOf(tree);
    if (!known.has(apiVersion) || kind !== 'ExecCredential') {
      throw new Mismatch(unknownKind(kind, apiVersion));
    }
    if (apiVersion === internal) {
      return { ok: true, credential: { apiVersion, status: null } };
    }
    return {
      ok: true,
      credential: { apiVersion, status: toStatus(fill({}, tree, execCredential, '')['status']) },
    };
  } catch (error) {
    if (error instanceof Mismatch) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

class Mismatch extends Error {}

/** In Unicode’s folding, as Go’s: a k may be the sign of Kelvin, and an s the long one. */
const typeNames = { kind: /^kind$/iu, apiVersion: /^apiversion$/iu };

function typeOf(tree: Tree): { kind: string; apiVersion: string } {
  const refused = (what: string, where: string) =>
    new Mismatch(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go ${where}`,
    );
  const found = { kind: '', apiVersion: '' };
  if (tree.kind !== 'object') {
    if (tree.kind !== 'null') {
      throw refused(tree.kind, 'value');
    }
    return { kind: 'ExecCredential', apiVersion: internal };
  }
  for (const [name, value] of tree.members) {
    const field = typeNames.kind.test(name) ? 'kind' : typeNames.apiVersion.test(name) ? 'apiVersion' : null;
    if (field !== null && value.kind !== 'null') {
      if (value.kind !== 'string') {
        throw refused(value.kind, `struct field .${field} of type string`);
      }
      found[field] = value.value;
    }
  }
  const isUnsaid = ['', '/', `${group}/`].includes(found.apiVersion);
  return {
    kind: found.kind || 'ExecCredential',
    apiVersion: isUnsaid ? internal : found.apiVersion,
  };
}

/** In client-go's words where the plugin's are a kind's and a version's, most likely: they are told. */
function unknownKind(kind: string, apiVersion: string): string {
  return [kind, apiVersion].every((word) => /^[\w./-]{1,60}$/.test(word))
    ? `no kind "${visibleText(kind)}" is registered for version "${visibleText(apiVersion)}"`
    : 'no such kind is registered for an exec plugin';
}

function toStatus(status: Value | undefined): CredentialStatus | null {
  if (typeof status !== 'object' || status === null) {
    return null;
  }
  const text = (name: string) => String(status[name] ?? '');
  const end = status['expirationTimestamp'];
  return {
    token: text('token'),
    clientCertificateData: text('clientCertificateData'),
    clientKeyData: text('clientKeyData'),
    expirationTimestamp: typeof end === 'number' ? end : null,
  };
}

type Value = string | number | null | Values;
interface Values {
  [name: string]: Value;
}

type Field = 'string' | 'bool' | '[]uint8' | 'time' | 'any' | Struct;
interface Struct {
  go: string;
  /** Null removes the earlier value. */
  isPointer: boolean;
  fields: Readonly<Record<string, Field>>;
}

/** k8s.io/client-go/pkg/apis/clientauthentication: the same in all its versions. */
const execCredential: Struct = {
  go: 'ExecCredential',
  isPointer: false,
  fields: {
    kind: 'string',
    apiVersion: 'string',
    spec: {
      go: 'ExecCredentialSpec',
      isPointer: false,
      fields: {
        interactive: 'bool',
        cluster: {
          go: 'Cluster',
          isPointer: true,
          fields: {
            server: 'string',
            'tls-server-name': 'string',
            'insecure-skip-tls-verify': 'bool',
            'certificate-authority-data': '[]uint8',
            'proxy-url': 'string',
            'disable-compression': 'bool',
            config: 'any',
          },
        },
      },
    },
    status: {
      go: 'ExecCredentialStatus',
      isPointer: true,
      fields: {
        expirationTimestamp: 'time',
        token: 'string',
        clientCertificateData: 'string',
        clientKeyData: 'string',
      },
    },
  },
};

function fill(values: Values, tree: Tree, struct: Struct, path: string): Values {
  for (const [name, value] of tree.kind === 'object' ? tree.members : []) {
    const field = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (field === undefined || field === 'any') {
      continue;
    }
    const inside = `${path}${name}`;
    if (value.kind === 'null') {
      if (field === 'time' || (typeof field === 'object' && field.isPointer)) {
        values[name] = null;
      }
    } else if (typeof field === 'object') {
      expect(value, 'object', `field ${struct.go}.${inside} of type v1.${field.go}`);
      const before = values[name];
      values[name] = fill(
        typeof before === 'object' && before !== null ? before : {},
        value,
        field,
        `${inside}.`,
      );
    } else if (field === 'bool') {
      expect(value, 'bool', `field ${struct.go}.${inside} of type bool`);
    } else {
      const type =
        field === 'time' ? 'value of type string' : `field ${struct.go}.${inside} of type ${field}`;
      expect(value, 'string', type);
      values[name] =
        field === 'string' ? value.value : field === 'time' ? time(value.value) : bytes(value.value);
    }
  }
  return values;
}

function expect<K extends Tree['kind']>(
  value: Tree,
  kind: K,
  where: string,
): asserts value is Extract<Tree, { kind: K }> {
  if (value.kind !== kind) {
    throw new Mismatch(
      `json: cannot unmarshal ${value.kind} into Go ${where.startsWith('field') ? 'struct ' : ''}${where}`,
    );
  }
}

function time(text: string): number | null {
  const parsed = parseGoTime(text);
  if (!parsed.ok) {
    throw new Mismatch('parsing time: expirationTimestamp can’t be read as "2006-01-02T15:04:05Z07:00"');
  }
  return parsed.milliseconds;
}

/** Only checked: no one uses it. */
function bytes(text: string): null {
  const base64 = text.replaceAll(/[\r\n]/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new Mismatch('illegal base64 data');
  }
  return null;
}
