import { ImportRunProvider } from './features/import/import-run.tsx';
import { LoginProvider } from './features/login/index.tsx';
import { ConnectionNotice } from './shell/connection-notice.tsx';
import { Frame } from './shell/frame.tsx';
import { useTheme } from './shell/use-theme.ts';
import { useBroker } from './stores/use-broker.tsx';
import { TimeProvider } from './ui/time/index.ts';
import { ToastProvider } from './ui/toast.tsx';

/** The whole page. */
export function App() {
  useTheme();
  const connection = useBroker((state) => state.connection);
  const offset = useBroker((state) => state.clockOffset);
  const known = useBroker((state) => state.version !== null);
  return (
    <TimeProvider offset={offset}>
      <ToastProvider>
        <LoginProvider>
          {known && connection.kind !== 'refused' ? (
            <ImportRunProvider>
              <Frame />
            </ImportRunProvider>
          ) : (
            <ConnectionNotice connection={connection} />
          )}
        </LoginProvider>
      </ToastProvider>
    </TimeProvider>
  );
}
