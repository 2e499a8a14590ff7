import { useTranslation } from '../../i18n/i18n';
import { addTexts, SOURCE_TYPES } from '../../api/corpus';
import { AddFilesAs } from '../../ui/add-files-as';

/** Adds files to the style corpus: the tenant's texts, or examples by others. */
export function AddTexts() {
  const { t } = useTranslation();
  return (
    <AddFilesAs
      label={t('style.add')}
      choiceLabel={t('style.type')}
      choices={SOURCE_TYPES.map((value) => ({ value, label: t(`sourceType.${value}`) }))}
      initial="own"
      onAdd={addTexts}
    />
  );
}
