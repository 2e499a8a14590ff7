import { lazy } from 'react';
import { retryingImport } from '../api/retrying-import';
import { useTranslation } from '../i18n/i18n';
import { NewItem } from './new-item';
import type { Shared } from './share-form';

const ShareForm = lazy(retryingImport(() => import('./share-form')));

/** Button that opens the links by which anyone can read a result. */
export function ShareButton({ size, ...shared }: Shared & { size?: 'xs' }) {
  return (
    <NewItem label={useTranslation().t('share.title')} variant="default" {...(size && { size })}>
      <ShareForm {...shared} />
    </NewItem>
  );
}
