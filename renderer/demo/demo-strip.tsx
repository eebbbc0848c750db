import { FlaskConical } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Strip } from '../ui/strip.tsx';
import { useDemo } from './use-demo.ts';

/** Always there while the demo runs: nobody should take invented clusters for their own. */
export function DemoStrip() {
  const { running, leave } = useDemo();
  return running ? (
    <Strip
      tone="soon"
      label="Demo"
      icon={<FlaskConical />}
      actions={
        <Button size="small" onClick={leave}>
          Leave the demo
        </Button>
      }
    >
      <strong>Invented data.</strong> Nothing here is yours, and nothing reaches the broker.
    </Strip>
  ) : null;
}
