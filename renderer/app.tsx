import { ImportRunProvider } from './features/import/import-run.tsx';
import { LoginProvider } from './features/login/index.tsx';
import { ConnectionNotice, UpdatedNotice } from './shell/connection-notice.tsx';
import { Frame } from './shell/frame.tsx';
import { PageKeys } from './shell/page-keys.tsx';
import { useTheme } from './shell/use-theme.ts';
import { useBroker } from './stores/use-broker.tsx';
import { SingleKeysProvider } from './ui/keys/index.ts';
import { OutOfReachContext } from './ui/out-of-reach.ts';
import { TimeProvider } from './ui/time/index.ts';
import { ToastProvider } from './ui/toast.tsx';

/** The complete page. */
export function App() {
  useTheme();
  const connection = useBroker((state) => state.connection);
  const offset = useBroker((state) => state.clockOffset);
  const known = useBroker((state) => state.version !== null);
  const unreadable = useBroker((state) => state.unreadable);
  return (
    <TimeProvider offset={offset}>
      <OutOfReachContext value={connection.kind === 'gone' ? 'Can’t reach Lanyard' : null}>
        <ToastProvider>
          <SingleKeysProvider>
            <LoginProvider>
              {unreadable ? (
                <UpdatedNotice />
              ) : known && connection.kind !== 'refused' ? (
                <ImportRunProvider>
                  <PageKeys>
                    <Frame />
                  </PageKeys>
                </ImportRunProvider>
              ) : (
                <ConnectionNotice connection={connection} />
              )}
            </LoginProvider>
          </SingleKeysProvider>
        </ToastProvider>
      </OutOfReachContext>
    </TimeProvider>
  );
}
