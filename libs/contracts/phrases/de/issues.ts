/** What the validation of a manuscript found, in German. */
export const issues = {
  'issue.altered':
    'Zeile {at} des Manuskripts weicht von {source}, Zeile {line}, ab: {reason}. Schreiben Sie sie genau wie in der Quelle.',
  'issue.missing':
    '{source}, {lines} ({kinds}): fehlt im Manuskript. Fügen Sie den Text unverändert dort ein, wo er hingehört.',
  'issue.missing_why':
    '{source}, {lines} ({kinds}): fehlt im Manuskript ({reason}). Fügen Sie den Text unverändert dort ein, wo er hingehört.',
  'issue.out_of_order':
    '{source}, {lines} ({kinds}): falsche Reihenfolge; der Text steht in Zeile {at} des Manuskripts. Verschieben Sie ihn an seinen Platz.',
  'issue.line': 'Zeile {first}',
  'issue.lines': 'Zeilen {first} bis {last}',
  'issue.duplicate.line':
    'Zeile {first} des Manuskripts wiederholt Quelltext einmal öfter als die Quelle. Entfernen Sie die Wiederholung.',
  'issue.duplicate.lines':
    'Die Zeilen {first} bis {last} des Manuskripts wiederholen Quelltext einmal öfter als die Quelle. Entfernen Sie die Wiederholung.',
  'issue.added_text.line':
    'Zeile {first} des Manuskripts behauptet etwas, das keine Quelle belegt ({words}). Entfernen Sie den Text oder lassen Sie nur eine Einleitung stehen, die nichts behauptet.',
  'issue.added_text.lines':
    'Die Zeilen {first} bis {last} des Manuskripts behaupten etwas, das keine Quelle belegt ({words}). Entfernen Sie den Text oder lassen Sie nur eine Einleitung stehen, die nichts behauptet.',
  'issue.unknown.line':
    'Zeile {first} des Manuskripts enthält, was in keiner Quelle steht: {words}. Entfernen oder berichtigen Sie das.',
  'issue.unknown.lines':
    'Die Zeilen {first} bis {last} des Manuskripts enthalten, was in keiner Quelle steht: {words}. Entfernen oder berichtigen Sie das.',
  'issue.invented.line': 'Zeile {first} des Manuskripts steht in keiner Quelle. Entfernen Sie das Erfundene.',
  'issue.invented.lines':
    'Die Zeilen {first} bis {last} des Manuskripts stehen in keiner Quelle. Entfernen Sie das Erfundene.',
  'issue.misplaced':
    'Die Überschrift in Zeile {at} (Ebene {to}; {source}, Zeile {line}, Ebene {from}) steht unter einer anderen Überschrift als in der Quelle. Ändern Sie ihre Ebene zusammen mit den benachbarten.',
  'issue.more': '{number} weitere Unterschiede sind nicht aufgeführt; beheben Sie zuerst diese.',
  'issue.with_detail': '{rule}: {detail}',
  'line_class.blank': 'Leerzeile',
  'line_class.prose': 'Fließtext',
  'line_class.heading': 'Überschrift',
  'line_class.table': 'Tabelle',
  'line_class.code': 'Code',
  'line_class.markup': 'Auszeichnung',
  'line_class.front_matter': 'Metadaten',
  'lint_rule.MD022': 'Um Überschriften gehören Leerzeilen',
  'lint_rule.MD023': 'Überschriften müssen am Zeilenanfang beginnen',
  'lint_rule.MD031': 'Um Codeblöcke gehören Leerzeilen',
  'lint_rule.MD056': 'Anzahl der Spalten einer Tabelle',
  'lint_rule.MD058': 'Um Tabellen gehören Leerzeilen',
  'lint_rule.SCR-fence': 'Ein Codeblock muss abgeschlossen sein',
  'lint_rule.SCR-heading-level': 'Das Dokument beginnt mit # und überspringt keine Ebene',
  'lint_rule.SCR-table': 'Der Kopf einer Tabelle hat so viele Zellen wie die Trennzeile',
  'lint_rule.SCR-image': 'Jedes Bild gehört zu einer Datei oder wurde von einer Person ausgelassen',
  'validation.empty': 'Das Manuskript ist leer',
  'validation.crashed': 'Die Prüfung ist abgestürzt',
  'validation.timeout': 'Die Prüfung hat zu lange gedauert',
  'validation.no_manuscript': 'Es gibt noch kein Manuskript: Es wurde noch nichts geschrieben',
} as const;
