/** Hand-made groups: a source sentence, two harmless rewordings (+) and two that change a number, unit, date, name or negation (-). */
const PAIRS = `
The server starts on port 8080.
+ On port 8080 the server is started.
+ The server begins to listen on port 8080.
- The server starts on port 8081.
- The server does not start on port 8080.
Alice restarted the database at 14:30.
+ At 14:30 the database was restarted by Alice.
+ The database restart was done by Alice at 14:30.
- Bob restarted the database at 14:30.
- Alice restarted the database at 14:50.
The cache must not be cleared during an upgrade.
+ During an upgrade the cache may not be cleared.
+ Clearing the cache is not allowed during an upgrade.
- The cache must be cleared during an upgrade.
- During an upgrade, clear the cache.
Each worker handles 12 jobs per minute.
+ Every worker can handle 12 jobs per minute.
+ A worker deals with 12 jobs each minute.
- Each worker handles 21 jobs per minute.
- Each worker never handles 12 jobs per minute.
The backup takes 45 minutes and needs 20 GB of space.
+ Needing 20 GB of space, the backup lasts 45 minutes.
+ The backup requires 20 GB of space and takes 45 min.
- The backup takes 45 seconds and needs 20 GB of space.
- The backup takes 45 minutes and needs 20 MB of space.
On 3 March 2026 the licence expires.
+ The licence expires on 3 March 2026.
+ On March 3, 2026 the licence is going to expire.
- The licence expires on 3 May 2026.
- On 3 March 2027 the licence expires.
The parser reads config.yaml before main.py is loaded.
+ Before main.py is loaded, config.yaml is read by the parser.
+ The parser has read config.yaml by the time main.py is loaded.
- The parser reads config.yml before main.py is loaded.
- The parser reads config.yaml before index.py is loaded.
No data leaves the building.
+ Data does not leave the building.
+ The building is never left by any data.
- Data leaves the building.
- All data leaves the building.
The function parseHeader returns null for empty input.
+ For empty input null is returned by the function parseHeader.
+ Given empty input, parseHeader returns null.
- The function parseFooter returns null for empty input.
- The function parseHeader does not return null for empty input.
Maria Kowalska approved the budget of 1,250,000 euros.
+ The budget of 1250000 euros was approved by Maria Kowalska.
+ A budget of 1,250,000 euros has been approved by Maria Kowalska.
- The budget of 1,250,000 euros was approved by Maria Nowak.
- Maria Kowalska approved the budget of 1,520,000 euros.
The reactor was shut down after two warnings.
+ After two warnings the reactor was shut down.
+ Following 2 warnings, the reactor was shut down.
- The reactor was shut down after three warnings.
- The reactor was not shut down after two warnings.
See https://example.org/setup for the installation guide.
+ The installation guide is at https://example.org/setup.
+ For the installation guide see https://example.org/setup.
- See https://example.org/start for the installation guide.
- See https://example.com/setup for the installation guide.
Users without a token are rejected with status 401.
+ Status 401 rejects users without a token.
+ A user without a token gets status 401 and is rejected.
- Users without a token are rejected with status 403.
- Users with a token are accepted with status 401.
The temperature must stay below 80 °C.
+ Below 80 °C is where the temperature must stay.
+ The temperature has to remain below 80 °C.
- The temperature must stay below 80 °F.
- The temperature must stay below 90 °C.
MAX_RETRIES is set to 5 in the settings file.
+ In the settings file MAX_RETRIES is set to 5.
+ The settings file sets MAX_RETRIES to 5.
- MIN_RETRIES is set to 5 in the settings file.
- MAX_RETRIES is not set to 5 in the settings file.
The valve opens at 3.5 bar.
+ At 3.5 bar the valve opens.
+ The valve is opened at 3.5 bar.
- The valve opens at 5.3 bar.
- The valve never opens at 3.5 bar.
Two engineers from Siemens inspected the turbine on Monday.
+ On Monday the turbine was inspected by two engineers from Siemens.
+ The turbine was inspected on Monday; two engineers from Siemens did it.
- Two engineers from Bosch inspected the turbine on Monday.
- Two engineers from Siemens inspected the turbine on Friday.
The manager said "we ship on time" in the meeting.
+ In the meeting "we ship on time" was said by the manager.
+ During the meeting the manager said "we ship on time".
- The manager said "we ship too late" in the meeting.
- The manager never said "we ship on time" in the meeting.
The disk is not encrypted.
+ The disk is unencrypted.
+ There is no encryption on the disk: it is a plain disk.
- The disk is encrypted.
- The disk has encryption.
Version 2.14.3 fixes the memory leak in the importer.
+ The memory leak in the importer is fixed by version 2.14.3.
+ In version 2.14.3 the importer's memory leak was fixed.
- Version 2.13.4 fixes the memory leak in the importer.
- Version 2.14.3 does not fix the memory leak in the importer.
The pump delivers 250 litres per hour.
+ Per hour the pump delivers 250 litres.
+ 250 l per hour are delivered by the pump.
- The pump delivers 250 litres per day.
- The pump delivers 520 litres per hour.
Press Enter to continue.
+ To continue, press Enter.
+ Continue by pressing the key Enter.
- Press Escape to continue.
- Do not press Enter to continue.
The queue was empty at midnight on 1 January.
+ At midnight on 1 January the queue was empty.
+ On 1 January at midnight there was an empty queue.
- The queue was not empty at midnight on 1 January.
- The queue was empty at midnight on 2 January.
Only administrators can delete a project.
+ A project can be deleted by administrators only.
+ Deleting a project is for administrators only.
- Only administrators cannot delete a project.
- Administrators can never delete a project.
The sensor sends a reading every 10 seconds.
+ Every 10 seconds a reading is sent by the sensor.
+ A reading is transmitted by the sensor every 10 s.
- The sensor sends a reading every 10 minutes.
- The sensor sends a reading every 15 seconds.
The contract with Nordwind GmbH ends in June.
+ In June the contract with Nordwind GmbH ends.
+ The contract with Nordwind GmbH terminates in June.
- The contract with Nordwind GmbH ends in July.
- The contract with Südwind GmbH ends in June.
Run npm_install before the first start.
+ Before the first start, run npm_install.
+ The first start needs a run of npm_install before it.
- Run npm_update before the first start.
- Never run npm_install before the first start.
The train from Berlin arrives at 17:05.
+ At 17:05 the train from Berlin arrives.
+ The arrival of the Berlin train is at 17:05.
- The train from Bremen arrives at 17:05.
- The train from Berlin arrives at 17:50.
The tank holds 400 litres of water.
+ 400 litres of water are held by the tank.
+ The tank contains 400 litres of water.
- The tank holds 40 litres of water.
- The tank no longer holds 400 litres of water.
Logging is disabled in production.
+ In production, logging is off.
+ Production has logging disabled.
- Logging is enabled in production.
- Logging is not disabled in production.
The test failed on Windows and macOS.
+ On Windows and macOS the test failed.
+ The test was a failure on Windows and macOS.
- The test passed on Windows and macOS.
- The test failed on Windows and Linux.
Table users has 14 columns and 3 indexes.
+ There are 14 columns and 3 indexes in table users.
+ The table users comes with 3 indexes and 14 columns.
- Table users has 13 columns and 4 indexes.
- Table users has 14 columns and no 3 indexes.
The invoice was paid by Schmidt on Tuesday.
+ On Tuesday the invoice was paid by Schmidt.
+ Payment of the invoice was made on Tuesday by Schmidt.
- The invoice was paid by Schneider on Tuesday.
- The invoice was not paid by Schmidt on Tuesday.
A reboot takes less than 90 seconds.
+ Less than 90 seconds is what a reboot takes.
+ Rebooting takes less than 90 seconds.
- A reboot takes less than 30 seconds.
- A reboot does not take less than 90 seconds.
The file /etc/hosts must contain the new address.
+ The new address must be contained in the file /etc/hosts.
+ Into the file /etc/hosts goes the new address, which it must contain.
- The file /etc/passwd must contain the new address.
- The file /etc/hosts must not contain the new address.
Nobody answered the alarm for six hours.
+ For six hours nobody answered the alarm.
+ The alarm was not answered for 6 hours.
- Somebody answered the alarm for six hours.
- Nobody answered the alarm for six days.
The loan has a rate of 4.2 % until 2031.
+ Until 2031 the loan has a rate of 4.2 percent.
+ The rate of the loan is 4.2 % until 2031.
- The loan has a rate of 2.4 % until 2031.
- The loan has a rate of 4.2 % until 2013.
HTTP requests time out after 30 seconds.
+ After 30 seconds HTTP requests time out.
+ The time-out of HTTP requests comes after 30 seconds.
- FTP requests time out after 30 seconds.
- HTTP requests never time out after 30 seconds.
The bridge is closed to trucks over 7.5 t.
+ Trucks over 7.5 t find the bridge closed.
+ For trucks over 7.5 t the bridge is closed.
- The bridge is closed to trucks over 5.7 t.
- The bridge is not closed to trucks over 7.5 t.
The laboratory in Zurich repeated the measurement on 12 May.
+ On 12 May the measurement was repeated by the laboratory in Zurich.
+ The measurement was repeated on 12 May by the Zurich laboratory.
- The laboratory in Geneva repeated the measurement on 12 May.
- The laboratory in Zurich repeated the measurement on 21 May.
The script cannot run without Python 3.11.
+ Without Python 3.11 the script cannot run.
+ It is impossible to run the script without Python 3.11.
- The script can run without Python 3.11.
- The script cannot run without Python 3.12.
Each pallet weighs 840 kg.
+ The weight of each pallet is 840 kg.
+ Every pallet weighs 840 kilograms.
- Each pallet weighs 840 g.
- Each pallet weighs 480 kg.
The key d41d8cd9 was revoked last week.
+ Last week the key d41d8cd9 was revoked.
+ The key d41d8cd9 has been revoked last week.
- The key d41d8cd8 was revoked last week.
- The key d41d8cd9 was not revoked last week.
The committee rejected the proposal of Dr. Okafor.
+ The proposal of Dr. Okafor was rejected by the committee.
+ By the committee Dr. Okafor's proposal was rejected.
- The committee accepted the proposal of Dr. Okafor.
- The committee rejected the proposal of Dr. Oduya.
The rollout reached 60 % of the customers in week 34.
+ In week 34 the rollout reached 60 % of the customers.
+ By week 34, 60 percent of the customers were reached by the rollout.
- The rollout reached 16 % of the customers in week 34.
- The rollout reached 60 % of the customers in week 43.
Shared folders are unavailable on Sundays from 02:00 to 04:00.
+ On Sundays from 02:00 to 04:00 shared folders are unavailable.
+ Shared folders are not available on Sundays from 02:00 to 04:00.
- Shared folders are available on Sundays from 02:00 to 04:00.
- Shared folders are unavailable on Sundays from 03:00 to 04:00.
The motor draws 16 A at 400 V.
+ At 400 V the motor draws 16 A.
+ The motor's draw is 16 A at 400 V.
- The motor draws 16 A at 230 V.
- The motor draws 61 A at 400 V.
Patients must not eat for 8 hours before the scan.
+ Before the scan patients must not eat for 8 hours.
+ For eight hours before the scan, patients may not eat.
- Patients must eat for 8 hours before the scan.
- Patients must not eat for 8 minutes before the scan.
The API key is read from the variable OPENAI_API_KEY.
+ From the variable OPENAI_API_KEY the API key is read.
+ The variable \`OPENAI_API_KEY\` is where the API key is read from.
- The API key is read from the variable OPEN_API_KEY.
- The API key is never read from the variable OPENAI_API_KEY.
Three of the 48 samples were contaminated.
+ Of the 48 samples 3 were contaminated.
+ There was contamination in three of the 48 samples: they were contaminated.
- Four of the 48 samples were contaminated.
- Three of the 84 samples were contaminated.
`;

/** A sentence and a rewording that keeps or changes its meaning. */
export interface Pair {
  before: string;
  after: string;
  harmless: boolean;
}

/** Returns sentence pairs for the narrative policy, half of them harmless. */
export function pairs(): Pair[] {
  const found: Pair[] = [];
  let before = '';
  for (const line of PAIRS.trim().split('\n')) {
    if (/^[+-] /.test(line)) found.push({ before, after: line.slice(2), harmless: line.startsWith('+') });
    else before = line;
  }
  return found;
}
