import { useNavigate } from '@tanstack/react-router';
import { lazy, useState, type ReactNode } from 'react';
import { retryingImport } from '../api/retrying-import';
import type { WorkKind } from '../api/work';
import { useTranslation } from '../i18n/i18n';
import { LazyDialog } from './lazy-part';

const FORMS = {
  document: lazy(retryingImport(() => import('../pages/documents/new-document'))),
  article: lazy(retryingImport(() => import('../pages/articles/new-article'))),
};

/** Returns a function that begins a new work of a kind, and the dialog in which it does; books and plans have pages. */
export function useNewWork(): [(kind: WorkKind, goal?: string) => void, ReactNode] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [begun, setBegun] = useState<keyof typeof FORMS>();
  const [isOpen, setOpen] = useState(false);
  const begin = (kind: WorkKind, goal?: string) => {
    if (kind === 'book') return void navigate({ to: '/books/new/concept' as never });
    if (kind === 'plan') return void navigate({ to: '/plans/new', search: goal ? { goal } : {} });
    setBegun(kind);
    setOpen(true);
  };
  const Form = begun && FORMS[begun];
  const dialog = Form && (
    <LazyDialog title={t(`${begun}s.new`)} isOpen={isOpen} onClose={() => setOpen(false)}>
      <Form />
    </LazyDialog>
  );
  return [begin, dialog];
}
