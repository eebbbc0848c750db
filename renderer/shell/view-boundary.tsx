import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { PartFailed } from '../ui/part.tsx';
import { Empty } from '../ui/states.tsx';

interface ViewBoundaryProps {
  /** Another view resets the failure. */
  at: string;
  children: ReactNode;
}

/** Limits a view's failure to the view. */
export class ViewBoundary extends Component<ViewBoundaryProps, { failedAt: string | null }> {
  override state: { failedAt: string | null } = { failedAt: null };

  static getDerivedStateFromProps({ at }: ViewBoundaryProps, { failedAt }: { failedAt: string | null }) {
    return failedAt !== null && failedAt !== at && failedAt !== '' ? { failedAt: null } : null;
  }

  static getDerivedStateFromError() {
    return { failedAt: '' };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof PartFailed) {
      error.renew();
    }
    this.setState({ failedAt: this.props.at });
  }

  override render() {
    if (this.state.failedAt === null) {
      return this.props.children;
    }
    return (
      <Empty
        title="Something went wrong"
        text="This view failed to load. kubectl is not affected."
        action={
          <>
            <Button onClick={() => this.setState({ failedAt: null })}>Try again</Button>
            <Button onClick={() => window.location.reload()}>Reload the page</Button>
          </>
        }
      />
    );
  }
}
