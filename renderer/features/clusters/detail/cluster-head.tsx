import type { Health } from '../../../../main/contract/ui/health.ts';
import {
  actionOf,
  healthSentence,
  leftWords,
  remedyLabels,
} from '../../../../main/contract/ui/health-words.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { shortName } from '../../../../main/contract/ui/short-name.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { ColorMark } from '../../../ui/color-mark.tsx';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { useOfNow } from '../../../ui/time/index.ts';
import type { RowActions } from '../list/use-row-actions.ts';
import { NoContext } from '../no-context.tsx';
import { TlsMark } from '../tls-mark.tsx';
import styles from './cluster.module.css';
import { ClusterLabels } from './cluster-labels.tsx';
import { OriginLink } from './origin-link.tsx';

export interface ClusterHeadProps {
  cluster: ClusterView;
  health: Health;
  actions: Pick<RowActions, 'logIn' | 'setSecret' | 'confirm' | 'addContexts'>;
}

/** The cluster's name, and how long its credential is valid, or what is wrong with the button that mends it. */
export function ClusterHead({ cluster, health, actions }: ClusterHeadProps) {
  const action = actionOf(cluster, health);
  const isWrong = health === 'need' || health === 'bad';
  const large = useOfNow((now) => leftWords(cluster, health, now).large);
  const words = useOfNow((now) => healthSentence(cluster, health, now));
  const { short } = shortName(cluster);
  return (
    <header>
      <div className={styles.called}>
        <h2 className={styles.name} dir="auto">
          {short}
        </h2>
        {cluster.mark && <ColorMark mark={cluster.mark} />}
      </div>
      {short !== cluster.name && <p className={`mono ${styles.server}`}>{cluster.name}</p>}
      <p className={`mono ${styles.server}`}>
        {cluster.server} {cluster.isInsecure && <TlsMark />}
      </p>
      <ClusterLabels cluster={cluster} />
      {cluster.origin && (
        <p className={styles.words}>
          <OriginLink origin={cluster.origin} />
        </p>
      )}
      <div className={classes(styles.left, isWrong && styles.wrong)}>
        <p>
          <StatusMark health={health} />
          {isWrong ? capital(large) : large}
        </p>
        {action !== null && (
          <Button kind="primary" calls={action !== 'setSecret'} onClick={() => actions[action](cluster)}>
            {remedyLabels[action]}
          </Button>
        )}
      </div>
      {words !== large && <p className={styles.words}>{sentence(words)}</p>}
      <NoContext cluster={cluster} onAdd={actions.addContexts} />
      {cluster.problem !== null && (
        <p className={health === 'good' ? styles.words : styles.problem}>{cluster.problem}</p>
      )}
    </header>
  );
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
