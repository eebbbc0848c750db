import {
  Activity,
  ChartNoAxesColumn,
  Layers,
  Lock,
  type LucideIcon,
  Package,
  Server,
  Settings,
  UserRound,
} from 'lucide-react';
import { useOpenQuestions } from '../features/approvals/index.tsx';
import { hrefOf, type ViewName } from '../navigation/route.ts';
import { useRoute } from '../navigation/use-route.ts';
import { useBroker } from '../stores/use-broker.tsx';
import { useAction } from '../stores/use-call.ts';
import { IconButton } from '../ui/button.tsx';
import { BrandMark } from './brand-mark.tsx';
import { lockText } from './lock-text.ts';
import styles from './side.module.css';
import { type CountedView, countedViews, useNeedCount } from './use-need-count.ts';

const links: readonly { view: ViewName; label: string; Icon: LucideIcon }[] = [
  { view: 'clusters', label: 'Clusters', Icon: Server },
  { view: 'inventories', label: 'Inventories', Icon: Layers },
  { view: 'registries', label: 'Registries', Icon: Package },
  { view: 'accounts', label: 'Accounts', Icon: UserRound },
  { view: 'activity', label: 'Activity', Icon: Activity },
  { view: 'metrics', label: 'Metrics', Icon: ChartNoAxesColumn },
];

/** The navigation. A row at the top in narrow windows. */
export function Side() {
  return (
    <nav className={styles.side} aria-label="Lanyard">
      <a className={styles.brand} href={hrefOf('clusters')}>
        <BrandMark />
        <span>Lanyard</span>
      </a>
      {links.map((link) => (
        <SideLink key={link.view} {...link} />
      ))}
      <div className={styles.grow} />
      <SideLink view="settings" label="Settings" Icon={Settings} />
      <Foot />
    </nav>
  );
}

function SideLink({ view, label, Icon }: (typeof links)[number]) {
  const here = useRoute().view === view;
  return (
    <a className={styles.link} href={hrefOf(view)} aria-current={here ? 'page' : undefined} title={label}>
      <Icon className={styles.icon} aria-hidden="true" />
      <span className={styles.label}>{label}</span>
      {isCounted(view) && <NeedCount of={view} />}
      {view === 'activity' && <QuestionCount />}
    </a>
  );
}

function isCounted(view: ViewName): view is CountedView {
  return countedViews.some((each) => each === view);
}

function NeedCount({ of }: { of: CountedView }) {
  const count = useNeedCount(of);
  return count === 0 ? null : (
    <span className={styles.count}>
      {count}
      <span className="unseen"> {count === 1 ? 'needs' : 'need'} you</span>
    </span>
  );
}

function QuestionCount() {
  const count = useOpenQuestions();
  return count === 0 ? null : (
    <span className={styles.count}>
      {count}
      <span className="unseen"> {count === 1 ? 'question waits' : 'questions wait'}</span>
    </span>
  );
}

function Foot() {
  const lock = useBroker((state) => state.sections.lock['']);
  const close = useAction('lock.close');
  if (!lock) {
    return <div className={styles.foot} />;
  }
  const { state, slots, detail } = lockText(lock);
  return (
    <div className={styles.foot}>
      <p className={styles.lock} title={detail ?? undefined}>
        {state}
        {detail !== null && <span className="unseen">. {detail}</span>}
      </p>
      <p className={styles.slots}>{slots}</p>
      {lock.kind === 'open' && (
        <IconButton
          label="Lock now"
          icon={<Lock />}
          size="small"
          busy={close.busy}
          onClick={() => void close.run({})}
        />
      )}
    </div>
  );
}
