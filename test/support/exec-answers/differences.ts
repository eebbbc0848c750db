import type { Verdict } from './compare.ts';
import type { PrintedAnswer } from './seeds.ts';

/** One way in which Lanyard reads what a plugin printed otherwise than client-go, on purpose. */
interface Difference {
  reason: string;
  /** So many of a thousand mutations at most. */
  perMille: number;
  is(answer: PrintedAnswer, clientGo: Verdict, lanyard: Verdict): boolean;
}

const differences: readonly Difference[] = [
  {
    reason:
      'a token goes into a header as it is: spaces in it, and what is beyond ASCII, no server takes for what it was',
    perMille: 12,
    is: (_, clientGo, lanyard) =>
      clientGo.at === 'ok' && lanyard.at === 'token' && /[^\x21-\x7e]/.test(clientGo.token ?? ''),
  },
  {
    reason: 'spaces and line ends around a token are dropped, which client-go sends along, or can’t send',
    perMille: 4,
    is: (_, clientGo, lanyard) =>
      lanyard.at === 'ok' &&
      (clientGo.at === 'token' ||
        clientGo.token
          ?.replace(/^\ufeff/, '')
          .replace(/\ufeff$/, '')
          .trim() === lanyard.token),
  },
  {
    reason:
      'a damaged certificate further up the chain, and an EC key whose own copy of its public half is damaged: client-go alone doesn’t look, and no other client takes them',
    perMille: 10,
    is: (_, clientGo, lanyard) => clientGo.at === 'ok' && lanyard.at === 'pair',
  },
  {
    reason:
      'a damaged certificate or key that OpenSSL reads all the same: Go’s reader is stricter (extensions, a key’s version), and says so where it gets it',
    perMille: 4,
    is: (_, clientGo, lanyard) => clientGo.at === 'pair' && lanyard.at === 'ok',
  },
  {
    reason:
      'YAML that go-yaml takes and YAML 1.2 doesn’t: lines in quotes that aren’t indented, what follows the root',
    perMille: 4,
    is: (answer, clientGo, lanyard) => isYaml(answer) && clientGo.at === 'ok' && lanyard.at === 'decoding',
  },
  {
    reason: 'YAML 1.2 that go-yaml doesn’t know: a name in braces whose value follows without a space',
    perMille: 1,
    is: (answer, clientGo, lanyard) =>
      isYaml(answer) &&
      clientGo.at === 'decoding' &&
      lanyard.at === 'ok' &&
      !/^%/.test(String(answer.stdout)),
  },
  {
    reason:
      'v1alpha1, which client-go knew until 1.23, is a version here still: another than the configured one',
    perMille: 1,
    is: (answer, clientGo, lanyard) =>
      clientGo.at === 'decoding' && lanyard.at === 'version' && answer.stdout.includes('v1alpha1'),
  },
  {
    reason: 'YAML that both refuse, one as YAML and the other by what it says',
    perMille: 4,
    is: (answer, clientGo, lanyard) => isYaml(answer) && clientGo.at !== 'ok' && lanyard.at !== 'ok',
  },
  {
    reason: 'YAML whose parts the two parsers cut differently',
    perMille: 1,
    is: (answer, clientGo, lanyard) =>
      isYaml(answer) && clientGo.at === 'ok' && lanyard.at === 'ok' && lanyard.token === clientGo.token,
  },
];

function isYaml({ stdout }: PrintedAnswer): boolean {
  return !/^\s*\{/.test(stdout.toString('utf8'));
}

/** How far the answers of a run differ: how often for which reason, and those without one. */
export class Comparison {
  readonly unexplained: string[] = [];
  readonly #counts = new Map<Difference, number>();
  #all = 0;

  add(answer: PrintedAnswer, clientGo: Verdict, lanyard: Verdict): void {
    this.#all++;
    if (JSON.stringify(clientGo) === JSON.stringify(lanyard)) {
      return;
    }
    const difference = differences.find(({ is }) => is(answer, clientGo, lanyard));
    if (difference) {
      this.#counts.set(difference, (this.#counts.get(difference) ?? 0) + 1);
    } else {
      const text = answer.stdout.toString('base64');
      this.unexplained.push(`${answer.name}: client-go ${clientGo.at}, Lanyard ${lanyard.at}: ${text}`);
    }
  }

  /** Reasons that come more often than they may. */
  tooMany(): string[] {
    return [...this.#counts]
      .filter(([{ perMille }, count]) => count > Math.ceil((this.#all * perMille) / 1000))
      .map(([{ reason }, count]) => `${count} of ${this.#all}: ${reason}`);
  }

  reasons(): Record<string, number> {
    return Object.fromEntries([...this.#counts].map(([{ reason }, count]) => [reason, count]));
  }
}
