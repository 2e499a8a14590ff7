import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session';
import { WORK_KINDS, type WorkKind } from '../api/work';
import { useTranslation } from '../i18n/i18n';
import { useNewWork } from './new-work';

/** Button for a new work of a kind, or menu of all kinds, for users with write access. */
export function NewWork({ kind }: { kind: WorkKind | undefined }) {
  const { t } = useTranslation();
  const [begin, dialog] = useNewWork();
  if (!useMay('write')) return null;
  return (
    <>
      {kind === 'book' && (
        <Button component={Link} to="/books/new/concept">
          {t('books.new')}
        </Button>
      )}
      {kind !== undefined && kind !== 'book' && (
        <Button onClick={() => begin(kind)}>{t(`${kind}s.new`)}</Button>
      )}
      {kind === undefined && (
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button>{t('work.new')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {WORK_KINDS.map((each) => (
              <Menu.Item key={each} onClick={() => begin(each)}>
                {t(`${each}s.new`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog}
    </>
  );
}
