import type { Standing } from '../../../main/contract/ui/standing.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { sentence } from '../../ui/sentence.ts';
import { agoText, useOfNow } from '../../ui/time/index.ts';
import styles from './cluster-panel.module.css';
import { leftWords, remedyLabels, remedyOf, standingSentence } from './standing-words.ts';
import type { RowActions } from './use-row-actions.ts';

export interface ClusterPanelProps {
  cluster: ClusterView;
  standing: Standing;
  actions: RowActions;
}

/** The cluster that is looked at, beside the list of a wide window. */
export function ClusterPanel({ cluster, standing, actions }: ClusterPanelProps) {
  const { name, server, account, audience, approval, lastCall, problem } = cluster;
  const subject = useBroker((state) => state.sections.accounts[account]?.subject ?? null);
  const issuer = useBroker((state) => state.sections.accounts[account]?.issuer ?? null);
  const large = useOfNow((now) => leftWords(cluster, standing, now).large);
  const words = useOfNow((now) => standingSentence(cluster, standing, now));
  const ago = useOfNow((now) => (lastCall ? agoText(lastCall.at, now) : ''));
  const remedy = remedyOf(cluster.state, standing);
  const rows: [string, string][] = [
    ...(subject === null ? [] : [['You are', subject] as [string, string]]),
    ['Account', account],
    ...(audience === null ? [] : [['Audience', audience] as [string, string]]),
    ...(issuer === null ? [] : [['Issuer', issuer] as [string, string]]),
    ['Policy', approvalWords(approval)],
    [
      'Asked by',
      lastCall
        ? `${lastCall.program ?? 'a program'}${lastCall.parent === null ? '' : `, from ${lastCall.parent}`}, ${ago}`
        : 'nobody yet',
    ],
  ];
  const act = {
    logIn: actions.logIn,
    setSecret: actions.setSecret,
    confirm: actions.confirm,
    why: actions.open,
  };
  return (
    <aside className={styles.panel} aria-label={`Cluster ${name}`}>
      <div className={styles.content}>
        <h2 className={styles.name}>{name}</h2>
        <p className={`mono ${styles.server}`}>{server}</p>
        <p className={styles.left}>{large}</p>
        {words !== large && <p className={styles.words}>{sentence(words)}</p>}
        {problem !== null && <p className={styles.problem}>{problem}</p>}
        <div className={styles.facts}>
          <KeyValues rows={rows} />
        </div>
      </div>
      <div className={styles.actions}>
        {remedy !== null && remedy !== 'why' && (
          <Button size="small" onClick={() => act[remedy](cluster)}>
            {remedyLabels[remedy]}
          </Button>
        )}
        <Button size="small" onClick={() => actions.open(cluster)}>
          Open
        </Button>
        <Button size="small" onClick={() => actions.renew(cluster)}>
          Renew now
        </Button>
        <Button size="small" onClick={() => actions.copy(cluster)}>
          Copy kubectl line
        </Button>
        {cluster.kind === 'oidc' && cluster.state !== 'loginNeeded' && (
          <Button size="small" onClick={() => actions.logOut(cluster)}>
            Log out
          </Button>
        )}
      </div>
    </aside>
  );
}

function approvalWords(approval: string): string {
  switch (approval) {
    case 'never':
      return 'Never ask';
    case 'always':
      return 'Ask each time';
    case 'perTerminal':
      return 'Ask once per terminal';
    default:
      return `Ask once in ${approval}`;
  }
}
