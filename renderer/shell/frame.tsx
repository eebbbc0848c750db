import { Suspense, useEffect, useRef } from 'react';
import { Questions } from '../features/approvals/index.tsx';
import { Teller } from '../features/notifications/teller.tsx';
import { addingName, type Route } from '../navigation/route.ts';
import { useRoute } from '../navigation/use-route.ts';
import { ClusterDetail, views } from '../routes.tsx';
import { useBroker } from '../stores/use-broker.tsx';
import { Loading } from '../ui/states.tsx';
import styles from './frame.module.css';
import { LockScreen } from './lock-screen.tsx';
import { Side } from './side.tsx';
import { Strips } from './strips.tsx';
import { ViewBoundary } from './view-boundary.tsx';

/** The page around the views. */
export function Frame() {
  const gone = useBroker((state) => state.connection.kind === 'gone');
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  useFocusOn(main, route.view);
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Teller />
      <Side />
      <div className={styles.right}>
        <Strips />
        <main ref={main} id="main" tabIndex={-1} className={styles.main} data-gone={gone || undefined}>
          <Content route={route} />
        </main>
      </div>
      <Questions />
    </div>
  );
}

function Content({ route }: { route: Route }) {
  const lock = useBroker((state) => state.sections.lock['']);
  // Settings stay available while locked: doctor shows there why it doesn't unlock.
  if (lock && lock.kind !== 'open' && route.view !== 'settings') {
    return <LockScreen lock={lock} />;
  }
  const View = views[route.view];
  const split = route.view === 'clusters' && route.name !== null;
  return (
    <div className={split ? styles.split : styles.single}>
      <div className={styles.view}>
        <ViewBoundary at={route.view}>
          <Suspense fallback={<Loading label="Loading" />}>
            <View name={route.name} />
          </Suspense>
        </ViewBoundary>
      </div>
      {split && (
        <aside
          className={styles.detail}
          aria-label={route.name === addingName ? 'A new cluster' : `Cluster ${route.name}`}
        >
          <ViewBoundary at={`${route.view} ${route.name}`}>
            <Suspense fallback={<Loading label="Loading" />}>
              <ClusterDetail key={route.name} name={route.name} />
            </Suspense>
          </ViewBoundary>
        </aside>
      )}
    </div>
  );
}

/** Moves the focus to the view when the user goes to another one by keyboard. */
function useFocusOn(main: { current: HTMLElement | null }, view: string): void {
  const shown = useRef(view);
  useEffect(() => {
    if (shown.current !== view) {
      shown.current = view;
      if (!main.current?.contains(document.activeElement)) {
        main.current?.focus({ preventScroll: true });
      }
    }
  }, [main, view]);
}
