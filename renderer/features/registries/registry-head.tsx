import type { Health } from '../../../main/contract/ui/health.ts';
import { healthSentence } from '../../../main/contract/ui/health-words.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { useOfNow } from '../../ui/time/index.ts';
import styles from './registries.module.css';
import { stateWords } from './registry-words.ts';

/** How a registry is, and what is wrong with it. */
export function RegistryHead({ registry, health }: { registry: RegistryView; health: Health }) {
  const words = useOfNow((now) => healthSentence(registry, health, now));
  const { state, problem, coversStrangers } = registry;
  return (
    <div className={styles.stack}>
      <p className={styles.large}>
        <StatusMark health={health} label={null} />
        {stateWords(state, health)}
      </p>
      {state === 'ready' && <p className={styles.muted}>{sentence(words)}</p>}
      {problem !== null && <p className={styles.problem}>{problem}</p>}
      {coversStrangers.length > 0 && (
        <p className={styles.warning}>
          Anyone can register a name that <span className="mono">{coversStrangers.join(' ')}</span> covers,
          and would be sent this credential.
        </p>
      )}
    </div>
  );
}
