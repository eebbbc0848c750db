import { Component, type ReactNode, Suspense } from 'react';
import { PartFailed } from './part.tsx';
import { useToast } from './toast.tsx';

/**
 * Wraps a separate part that is shown over the views. If it can't be loaded, because the broker is away, shows a
 * message, and the page stays as it was. Another `key` resets it.
 */
export function PartBoundary({ onFailed, children }: { onFailed?(): void; children: ReactNode }) {
  const toast = useToast();
  return (
    <Boundary
      onFailed={() => {
        toast.fail({
          message: 'this part of the page could not be loaded',
          hint: 'try again when Lanyard is running, or reload the page',
        });
        onFailed?.();
      }}
    >
      <Suspense>{children}</Suspense>
    </Boundary>
  );
}

interface BoundaryProps {
  onFailed(): void;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof PartFailed) {
      error.renew();
    }
    this.props.onFailed();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
