import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { ElectronModule } from '../electron.ts';

/** The backgrounds of renderer/theme/tokens.css (`--background`), so that nothing flashes before the page is drawn. */
const grounds = { light: '#f9fbfc', dark: '#12161b' } as const;

/** The background of the window. */
export function groundOf({
  shouldUseDarkColors,
}: Pick<ElectronModule['nativeTheme'], 'shouldUseDarkColors'>): string {
  return shouldUseDarkColors ? grounds.dark : grounds.light;
}

export interface AppearanceDeps {
  nativeTheme: ElectronModule['nativeTheme'];
  page: Pick<LocalPage, 'state' | 'onChange'>;
  /** The theme has switched between light and dark. */
  onGround(): void;
}

/** Applies the theme that the user chose in Lanyard's settings to frames, menus and pages. Default: the system's. */
export function followAppearance({ nativeTheme, page, onGround }: AppearanceDeps): Disposable {
  const follow = () => {
    const theme = page.state().appearance['']?.theme ?? 'system';
    if (nativeTheme.themeSource !== theme) {
      nativeTheme.themeSource = theme;
    }
  };
  follow();
  nativeTheme.on('updated', onGround);
  const all = new Disposables();
  all.add(page.onChange(follow));
  all.add({ dispose: () => void nativeTheme.removeListener('updated', onGround) });
  return all;
}
