import { Badge, NavLink } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { openDecisionsQuery } from '../api/decisions';

const ENTRIES = [
  { to: '/documents', label: 'nav.documents' },
  { to: '/books', label: 'nav.books' },
  { to: '/knowledge', label: 'nav.knowledge' },
  { to: '/articles', label: 'nav.articles' },
  { to: '/plans', label: 'nav.plans' },
  { to: '/decisions', label: 'nav.decisions' },
  { to: '/runs', label: 'nav.runs' },
  { to: '/usage', label: 'nav.usage' },
  { to: '/access', label: 'nav.access' },
  { to: '/webhooks', label: 'nav.webhooks' },
  { to: '/audit', label: 'nav.audit' },
  { to: '/service', label: 'nav.service' },
] as const;

/** Where one can go, and how many questions wait. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const open = useQuery(openDecisionsQuery).data?.items.length ?? 0;
  return (
    <nav aria-label={t('nav.label')}>
      {ENTRIES.map(({ to, label }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={t(label)}
          active={path.startsWith(to)}
          aria-current={path.startsWith(to) ? 'page' : undefined}
          onClick={onNavigate}
          rightSection={
            to === '/decisions' && open > 0 ? (
              <Badge color="yellow" aria-label={t('nav.waiting', { count: open })}>
                {open}
              </Badge>
            ) : null
          }
        />
      ))}
    </nav>
  );
}
