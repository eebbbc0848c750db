/** Which token, key and certificate are meant; what is absent may be any. */
export interface TokenSelect {
  /** The token’s label. */
  token?: string;
  serial?: string;
  manufacturer?: string;
  model?: string;
  /** The slot’s number. */
  slot?: number;
  /** The key’s label. */
  label?: string;
  /** The key’s CKA_ID, lower-case hex. */
  id?: string;
}

export type ReadTokenUri =
  /** `module`: an absolute path (module-path); null: the URI names none. */
  { ok: true; select: TokenSelect; module: string | null } | { ok: false; fault: string };

/** Attributes of RFC 7512, section 2.3, that say which object; those of the library say nothing of a key. */
const texts: Readonly<Record<string, 'token' | 'serial' | 'manufacturer' | 'model' | 'label'>> = {
  token: 'token',
  serial: 'serial',
  manufacturer: 'manufacturer',
  model: 'model',
  object: 'label',
};
const ignored: readonly string[] = [
  'type',
  'library-manufacturer',
  'library-version',
  'library-description',
  'slot-manufacturer',
  'slot-description',
];
const withPin: readonly string[] = ['pin-value', 'pin-source'];

/**
 * Reads a PKCS#11 URI (RFC 7512). A PIN in it is refused: the file or command line that the URI stands in is no place for
 * one. An attribute that isn’t known is refused, too: the RFC has no match then (section 2.6).
 */
export function readTokenUri(text: string): ReadTokenUri {
  if (!/^pkcs11:/i.test(text)) {
    return fault('expected a URI such as pkcs11:token=work;object=me (RFC 7512)');
  }
  const [path = '', query = '', ...more] = text.slice('pkcs11:'.length).split('?');
  if (more.length > 0) {
    return fault('it has more than one “?”');
  }
  const select: TokenSelect = {};
  let module: string | null = null;
  const seen = new Set<string>();
  for (const [part, isQuery] of [
    ...path.split(';').map((each) => [each, false] as const),
    ...query.split('&').map((each) => [each, true] as const),
  ]) {
    if (part === '') {
      continue;
    }
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const bytes = equals < 0 ? null : decoded(part.slice(equals + 1));
    if (bytes === null) {
      return fault(`${shownName(name)} has no value that can be read`);
    }
    // Section 2.3: an attribute stands once.
    if (seen.has(name)) {
      return fault(`${shownName(name)} stands twice`);
    }
    seen.add(name);
    if (withPin.includes(name)) {
      return fault(`leave ${name} out: Lanyard asks for the PIN`);
    }
    const value = new TextDecoder().decode(bytes);
    const key = isQuery ? undefined : texts[name];
    if (key !== undefined && Object.hasOwn(texts, name)) {
      select[key] = value;
    } else if (!isQuery && name === 'id') {
      select.id = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    } else if (!isQuery && name === 'slot-id') {
      if (!/^\d{1,15}$/.test(value)) {
        return fault('slot-id is a number');
      }
      select.slot = Number(value);
    } else if (isQuery && name === 'module-path') {
      module = value;
    } else if (isQuery && name === 'module-name') {
      return fault('name the module by its path: module-path=/usr/lib/…');
    } else if (isQuery || !ignored.includes(name)) {
      return fault(`${shownName(name)} is no attribute that Lanyard knows`);
    }
  }
  return { ok: true, select, module };
}

/** RFC 3986, section 2.1. Null: an escape is none. */
function decoded(text: string): Uint8Array | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(text) || /[^\x21-\x7e]/.test(text)) {
    return null;
  }
  const bytes = text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}

function fault(text: string): ReadTokenUri {
  return { ok: false, fault: text };
}
