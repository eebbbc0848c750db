import { ownText } from '../../base/own-text.ts';
import { Secret } from '../../base/secret.ts';
import type { KubeconfigProblem } from '../../domain/import/kubeconfig.ts';
import type { ScalarValue } from './plain-scalar.ts';
import type { YamlEntry, YamlValue } from './yaml-value.ts';

/** Notes a problem at an offset of the text. */
export type Report = (
  severity: KubeconfigProblem['severity'],
  offset: number | null,
  message: string,
) => void;

const mostOfName = 512;

type Kind = 'text' | 'true or false' | 'a list' | 'a map';

/**
 * A map's entries, read as encoding/json fills a struct: what is null or missing is the empty value, another type is an
 * error. Names of keys are those of the struct: they may be shown, values never.
 */
export class Fields {
  readonly #entries: ReadonlyMap<string, YamlEntry>;
  readonly report: Report;

  constructor(value: YamlValue, what: string, report: Report) {
    this.report = report;
    const entries = of(value, what, 'a map', report);
    this.#entries = entries?.kind === 'map' ? entries.entries() : new Map();
  }

  get keys(): string[] {
    return [...this.#entries.keys()];
  }

  text(key: string): string {
    return textOf(this.#entries.get(key)?.value, key, this.report);
  }

  /** Null where it is empty. */
  textOrNull(key: string): string | null {
    return this.text(key) || null;
  }

  secretOrNull(key: string): Secret | null {
    const text = this.text(key);
    return text === '' ? null : new Secret(text);
  }

  flag(key: string): boolean {
    const value = this.#entries.get(key)?.value;
    const found = value && of(value, key, 'true or false', this.report);
    return found?.kind === 'scalar' && found.value === true;
  }

  texts(key: string): string[] {
    return this.list(key).map((item) => textOf(item, key, this.report));
  }

  list(key: string): YamlValue[] {
    const value = this.#entries.get(key)?.value;
    const found = value && of(value, key, 'a list', this.report);
    return found?.kind === 'list' ? found.items() : [];
  }

  /** Null where there is none. */
  map(key: string): Fields | null {
    const value = this.#entries.get(key)?.value;
    return value === undefined || isNull(value) ? null : new Fields(value, key, this.report);
  }

  /** Whatever it is; null where it is null or missing. */
  value(key: string): YamlValue | null {
    const value = this.#entries.get(key)?.value;
    return value === undefined || isNull(value) ? null : value;
  }

  offsetOf(key: string): number | null {
    return this.#entries.get(key)?.value.offset ?? null;
  }
}

function textOf(value: YamlValue | undefined, key: string, report: Report): string {
  const found = value && of(value, key, 'text', report);
  const text = found?.kind === 'scalar' && typeof found.value === 'string' ? found.value : '';
  // Names outlive the file’s text, which may have megabytes: a slice would keep all of it in memory.
  return text.length < mostOfName ? ownText(text) : text;
}

/** The value where it is of that kind; null where it is null, or where it isn't and that was reported. */
function of(value: YamlValue, what: string, kind: Kind, report: Report): YamlValue | null {
  if (isNull(value)) {
    return null;
  }
  const found = kindOf(value);
  if (found === kind) {
    return value;
  }
  const hint =
    kind === 'text' && value.kind === 'scalar'
      ? '; put it in quotes'
      : kind === 'true or false' && found === 'text'
        ? '; without quotes'
        : '';
  report('error', value.offset, `${what} must be ${kind}, and this is ${found}${hint}`);
  return null;
}

function isNull(value: YamlValue): boolean {
  return value.kind === 'scalar' && value.value === null;
}

function kindOf(value: YamlValue): Kind | 'a number' | 'nothing' {
  return value.kind === 'scalar' ? scalarKind(value.value) : value.kind === 'list' ? 'a list' : 'a map';
}

function scalarKind(value: ScalarValue): Kind | 'a number' | 'nothing' {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'a number';
    default:
      return 'nothing';
  }
}
