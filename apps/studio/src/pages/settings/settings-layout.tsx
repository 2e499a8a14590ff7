import { Outlet } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { RouteNavLink } from '../../ui/route-nav-link';
import { useSettings } from './settings';
import './settings.css';

/** Shows the links to the pages of the settings next to one of them. */
export default function SettingsLayout() {
  const { t } = useTranslation();
  return (
    <div className="settings">
      <nav aria-label={t('nav.settings')} className="settings-links">
        {useSettings().map((name) => (
          <RouteNavLink key={name} to={`/settings/${name}`} label={t(`settings.${name}`)} />
        ))}
      </nav>
      <div className="settings-page">
        <Outlet />
      </div>
    </div>
  );
}
