import { useBroker } from './stores/use-broker.tsx';

/** The whole page. */
export function App() {
  const connection = useBroker((state) => state.connection.kind);
  const clusters = useBroker((state) => Object.keys(state.sections.clusters).length);
  return (
    <main>
      <h1>Lanyard</h1>
      <p>{connection === 'open' ? `${clusters} clusters` : connection}</p>
    </main>
  );
}
