import { FlaskConical } from 'lucide-react';
import { useBroker } from '../stores/use-broker.tsx';
import { Button } from '../ui/button.tsx';
import { Strip } from '../ui/strip.tsx';
import { useDemo } from './use-demo.ts';

/** Always visible during the demo: no one should take invented clusters for their own. */
export function DemoStrip() {
  const { running, leave } = useDemo();
  const window = useBroker((state) => state.sections.window[''] ?? null);
  return running ? (
    <Strip
      tone="soon"
      label="Demo"
      live
      icon={<FlaskConical />}
      actions={
        <Button size="small" onClick={leave}>
          Leave the demo
        </Button>
      }
    >
      <strong>Demo data.</strong>{' '}
      {window === null
        ? 'This is sample data; nothing you do here affects your setup.'
        : 'Here Lanyard’s approval window would open. The demo has none: in a moment it goes on as if you had approved it.'}
    </Strip>
  ) : null;
}
