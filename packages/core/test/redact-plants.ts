/** Secrets of every kind as they are really made: beginnings, lengths and alphabets, filled by chance. */
import fc from 'fast-check'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const ALNUM = LOWER + UPPER + DIGITS
const URL_SAFE = `${ALNUM}-_`
const BASE64 = `${ALNUM}+/`
const HEX = `${DIGITS}abcdef`

/** A secret, and a text that it stands in where it is only known by that. */
export interface Plant {
  readonly kind: string
  readonly secret: string
  readonly text: string
}

/** A random text that has everything in it that its alphabet has, as nearly every real one. */
export function chars(alphabet: string, length: number): fc.Arbitrary<string> {
  const places = fc.array(fc.nat(alphabet.length - 1), { minLength: length, maxLength: length })
  // Chance makes secrets, not the search for a simple example.
  return fc
    .noShrink(fc.noBias(places))
    .map(places => places.map(at => alphabet[at]).join(''))
    .filter(text => length < 8 || isMixed(text, alphabet))
}

function isMixed(text: string, alphabet: string): boolean {
  const needs = [/[a-z]/, /[A-Z]/, /[0-9]/].filter(kind => kind.test(alphabet))
  // What people write into examples is left alone, and chance writes it once in a million.
  const isExample =
    /x{6}|0{10}|your|test|demo|admin|fake|(?:^|[-_])(?:my|the|some|foo|bar|key)(?:[-_]|$)/i.test(text)
  return (
    needs.every(kind => kind.test(text)) && new Set(text).size >= Math.min(8, text.length / 2) && !isExample
  )
}

/** An id by chance: extreme ones such as all zeros stand for examples. */
const uuid = fc.noShrink(fc.noBias(fc.uuid()))

const begun = (start: string, alphabet: string, length: number): fc.Arbitrary<string> =>
  chars(alphabet, length).map(body => start + body)

/** Known wherever they stand. */
const ALONE: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'aws-key': begun('AKIA', `${UPPER}234567`, 16),
  'github-token': fc.oneof(
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(start => begun(start, ALNUM, 36)),
    fc.tuple(chars(ALNUM, 22), chars(ALNUM, 59)).map(([a, b]) => `github_pat_${a}_${b}`),
  ),
  'gitlab-token': begun('glpat-', URL_SAFE, 20),
  'slack-token': fc
    .tuple(chars(DIGITS, 12), chars(DIGITS, 13), chars(ALNUM, 24))
    .map(([team, bot, body]) => `xoxb-${team}-${bot}-${body}`),
  'slack-webhook': fc
    .tuple(chars(UPPER + DIGITS, 8), chars(UPPER + DIGITS, 10), chars(ALNUM, 24))
    .map(([team, bot, body]) => `T${team}/B${bot}/${body}`),
  'stripe-key': fc.oneof(
    begun('sk_live_', ALNUM, 24),
    begun('rk_live_', ALNUM, 99),
    begun('sk_test_', ALNUM, 99),
  ),
  'google-key': begun('AIza', URL_SAFE, 35),
  'google-oauth': begun('GOCSPX-', URL_SAFE, 28),
  'openai-key': fc.oneof(
    fc
      .tuple(chars(URL_SAFE, 74), chars(URL_SAFE, 73), chars(ALNUM, 1))
      .map(([a, b, c]) => `sk-proj-${a}T3BlbkFJ${b}${c}`),
    fc.tuple(chars(ALNUM, 20), chars(ALNUM, 20)).map(([a, b]) => `sk-${a}T3BlbkFJ${b}`),
  ),
  'anthropic-key': chars(URL_SAFE, 93).map(body => `sk-ant-api03-${body}AA`),
  'groq-key': begun('gsk_', ALNUM, 52),
  'npm-token': begun('npm_', ALNUM, 36),
  'pypi-token': begun('pypi-AgEIcHlwaS5vcmc', URL_SAFE, 130),
  'huggingface-token': begun('hf_', LOWER + UPPER, 34),
  'sendgrid-key': fc.tuple(chars(ALNUM, 22), chars(ALNUM, 43)).map(([a, b]) => `SG.${a}.${b}`),
  'twilio-key': begun('SK', HEX, 32),
  'mailgun-key': begun('key-', HEX, 32),
  'mailchimp-key': chars(HEX, 32).map(body => `${body}-us12`),
  jwt: fc
    .tuple(chars(URL_SAFE, 80), chars(URL_SAFE, 43))
    .map(([a, b]) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIi${a}.${b}`),
  'shopify-token': begun('shpat_', HEX, 32),
  'digitalocean-token': begun('dop_v1_', HEX, 64),
  'cloudflare-token': fc.tuple(chars(ALNUM, 40), chars(HEX, 8)).map(([a, b]) => `cfut_${a}${b}`),
  'vercel-token': begun('vcp_', ALNUM, 24),
  'supabase-key': begun('sbp_', HEX, 40),
  'linear-key': begun('lin_api_', ALNUM, 40),
  'notion-token': fc.tuple(chars(DIGITS, 11), chars(ALNUM, 35)).map(([a, b]) => `ntn_${a}${b}`),
  'figma-token': begun('figd_', URL_SAFE, 40),
  'docker-token': begun('dckr_pat_', URL_SAFE, 27),
  'databricks-token': begun('dapi', HEX, 32),
  'grafana-token': fc.tuple(chars(ALNUM, 32), chars(HEX, 8)).map(([a, b]) => `glsa_${a}_${b}`),
  'vault-token': begun('hvs.', URL_SAFE, 95),
  'tailscale-key': fc.tuple(chars(ALNUM, 17), chars(ALNUM, 32)).map(([a, b]) => `tskey-auth-${a}-${b}`),
  'age-key': begun('AGE-SECRET-KEY-1', UPPER + DIGITS, 58),
  'discord-token': fc
    .tuple(chars(ALNUM, 23), chars(ALNUM, 6), chars(URL_SAFE, 38))
    .map(([a, b, c]) => `M${a}.${b}.${c}`),
  'telegram-token': fc
    .tuple(chars('123456789', 10), chars(URL_SAFE, 33))
    .map(([id, body]) => `${id}:AA${body}`),
  'azure-secret': fc.tuple(chars(ALNUM, 3), chars(ALNUM, 34)).map(([a, b]) => `${a}8Q~${b}`),
  'airtable-token': fc.tuple(chars(ALNUM, 14), chars(HEX, 64)).map(([a, b]) => `pat${a}.${b}`),
  'asana-token': fc.tuple(chars('123456789', 15), chars(HEX, 32)).map(([a, b]) => `1/1${a}:${b}`),
  'azure-devops-token': fc.tuple(chars(ALNUM, 76), chars(ALNUM, 4)).map(([a, b]) => `${a}AZDO${b}`),
  'azure-ai-key': fc.tuple(chars(ALNUM, 52), chars(ALNUM, 26)).map(([a, b]) => `${a}JQQJ99${b}`),
  'braintree-token': fc
    .tuple(chars(LOWER + DIGITS, 16), chars(HEX, 32))
    .map(([a, b]) => `access_token$production$${a}$${b}`),
  'firebase-key': fc.tuple(chars(ALNUM, 7), chars(URL_SAFE, 134)).map(([a, b]) => `AAAA${a}:APA91b${b}`),
  'hubspot-token': uuid.map(id => `pat-eu1-${id}`),
  'launchdarkly-key': uuid.map(id => `sdk-${id}`),
  'plaid-token': uuid.map(id => `access-production-${id}`),
  'salesforce-token': fc.tuple(chars(ALNUM, 12), chars(ALNUM, 90)).map(([a, b]) => `00D${a}!${b}`),
  'twitch-token': begun('oauth:', LOWER + DIGITS, 30),
  'wakatime-key': uuid.map(id => `waka_${id}`),
  'zoho-token': fc.tuple(chars(HEX, 32), chars(HEX, 32)).map(([a, b]) => `1000.${a}.${b}`),
  'terraform-token': fc.tuple(chars(ALNUM, 14), chars(ALNUM, 67)).map(([a, b]) => `${a}.atlasv1.${b}`),
  'password-hash': fc.oneof(
    fc.tuple(chars(ALNUM, 16), chars(`${ALNUM}./`, 86)).map(([a, b]) => `$6$${a}$${b}`),
    fc.tuple(chars(ALNUM, 8), chars(`${ALNUM}./`, 22)).map(([a, b]) => `$apr1$${a}$${b}`),
    chars(`${ALNUM}./`, 53).map(body => `$2b$12$${body}`),
    fc.tuple(chars(ALNUM, 22), chars(ALNUM, 43)).map(([a, b]) => `$argon2id$v=19$m=65536,t=3,p=4$${a}$${b}`),
  ),
}

const isStrong = (text: string): boolean => /\d/.test(text) && /[A-Z]/.test(text)

/** A password as people choose it, and as a generator does. */
const password = fc.oneof(
  chars(ALNUM, 12),
  chars(`${ALNUM}!#%^*`, 14),
  fc
    .tuple(fc.constantFrom('kattegat', 'hunter2', 'Sonne', 'moin'), chars(ALNUM, 6).filter(isStrong))
    .map(parts => parts.join('-')),
  fc
    .tuple(
      fc.constantFrom('Kattegat', 'Lummerland', 'Bergwerk'),
      fc.constantFrom('Blau', 'Rot'),
      fc.integer({ min: 20, max: 99 }),
    )
    .map(parts => parts.join('-')),
)

/** Words like those of a wallet. */
const WALLET =
  'river canyon velvet orbit puzzle lantern copper garden marble window pepper tunnel harvest silent ocean ribbon comet jungle saddle timber winter planet mirror bottle anchor candle forest ladder'.split(
    ' ',
  )
const seed = fc.shuffledSubarray(WALLET, { minLength: 12, maxLength: 12 }).map(words => words.join(' '))

/** Lines and sentences with a password in them; `@` stands for it. */
const LINES: Readonly<Record<string, string>> = {
  PGPASSWORD: 'PGPASSWORD=@ psql -h db.internal shop',
  environment: 'export DB_PASSWORD=@',
  'environment in quotes': 'MYSQL_PWD="@"',
  'sshpass in the environment': 'SSHPASS=@ sshpass -e ssh deploy',
  'compose file': '    environment:\n      - POSTGRES_PASSWORD=@\n',
  'mysql -p': 'mysql -u root -p@ shop',
  'mysqldump -p': "mysqldump -h db -u app -p'@' shop > shop.sql",
  'curl -u': 'curl -s -u maria:@ https://shop.internal/api/orders',
  'curl --user': "curl --user 'maria:@' https://shop.internal",
  'sshpass -p': 'sshpass -p @ ssh deploy@host uptime',
  'docker login': 'docker login -u maria -p @ registry.internal',
  'redis-cli -a': 'redis-cli -h cache -a @ ping',
  'openssl pass:': 'openssl enc -d -aes-256-cbc -in a.enc -pass pass:@',
  'openssl -passin': 'openssl rsa -in key.pem -passin pass:@ -out plain.pem',
  'mongosh -p': 'mongosh db.internal -u app -p @ --eval "db.stats()"',
  'ldapsearch -w': 'ldapsearch -x -D cn=app,dc=shop -w @ -b dc=shop',
  'smbclient -U': 'smbclient //files/share -U maria%@',
  'sqlcmd -P': 'sqlcmd -S db -U sa -P @ -Q "select 1"',
  'zip -P': 'zip -r -P @ backup.zip data',
  '7z -p': '7z a -p@ backup.7z data',
  'htpasswd -b': 'htpasswd -bc .htpasswd maria @',
  'echo to sudo': 'echo @ | sudo -S apt-get update',
  'echo to chpasswd': 'echo "deploy:@" | chpasswd',
  'password on stdin': "echo '@' | docker login -u maria --password-stdin",
  netrc: 'machine api.shop.io login maria password @',
  'netrc over lines': 'machine api.shop.io\n  login maria\n  password @\n',
  pgpass: 'db.internal:5432:shop:app:@',
  SQL: "CREATE USER app IDENTIFIED BY '@';",
  'SQL role': "ALTER ROLE app WITH PASSWORD '@';",
  yaml: 'database:\n  user: app\n  password: @\n',
  'yaml in quotes': "smtp_password: '@'",
  ansible: 'ansible_become_pass: @',
  ini: '[client]\nuser = app\npassword = @\n',
  properties: 'spring.datasource.password=@',
  xml: '<server><username>app</username><password>@</password></server>',
  'JSON pass': '{"auth": {"user": "maria", "pass": "@"}}',
  call: 'dataSource.setPassword("@");',
  PowerShell: '$p = ConvertTo-SecureString "@" -AsPlainText -Force',
  'net user': 'net user maria @ /add',
  wifi: 'ssid=Shop\npsk=@\n',
  'fish set': 'set -x DB_PASSWORD @',
  'Dockerfile ENV': 'ENV DB_PASSWORD @',
  'gh secret set': 'gh secret set DB_PASSWORD --body "@"',
  'gh secret set -b': 'gh secret set DB_PASSWORD -b"@"',
  ODBC: 'DRIVER={ODBC Driver 17};SERVER=db;UID=sa;PWD=@',
  'JDBC of Oracle': 'jdbc:oracle:thin:app/@@//db:1521/shop',
  sqlplus: 'sqlplus app/@@shop',
  'http -a': 'http -a maria:@ GET https://api.shop.io',
  'curl -sSu': 'curl -sSu maria:@ https://shop.internal',
  'PHP define': "define( 'DB_PASSWORD', '@' );",
  getConnection: 'DriverManager.getConnection("jdbc:postgresql://db/shop", "app", "@")',
  expect: 'expect "password:"\nsend "@\\r"',
  rdesktop: 'rdesktop -u maria -p @ host',
  twine: 'twine upload -u maria -p @ dist/*',
  openconnect: 'echo "@" | openconnect --passwd-on-stdin vpn.shop.io',
  keepassxc: "echo '@' | keepassxc-cli show shop.kdbx web",
  'printf to docker': "printf '%s' '@' | docker login -u maria --password-stdin",
  'here string': 'chpasswd <<< "maria:@"',
  'htpasswd -nb': 'htpasswd -nb maria @',
  'bw unlock': 'bw unlock @',
  pdftk: 'pdftk in.pdf output out.pdf user_pw @',
  'put-parameter': 'aws ssm put-parameter --name /db/password --value "@" --type SecureString',
  'create-secret': 'aws secretsmanager create-secret --name db --secret-string "@"',
  keyvault: 'az keyvault secret set --vault-name shop --name db --value "@"',
  'wireless profile': '<keyMaterial>@</keyMaterial>',
  'page.fill': "await page.fill('#password', '@')",
  getByLabel: "await page.getByLabel('Password').fill('@')",
  send_keys: 'driver.find_element(By.ID, "password").send_keys("@")',
  'list of variables': '[{"name":"DB_PASSWORD","value":"@"}]',
  'list of variables, values first': '[{"value":"@","name":"DB_PASSWORD"}]',
  'keys and values': '{"Key":"db_password","Value":"@"}',
  'variable of Terraform': 'variable "db_password" {\n  default = "@"\n}',
  setProperty: 'props.setProperty("password", "@");',
  SetEnvironmentVariable: '[Environment]::SetEnvironmentVariable("DB_PASSWORD", "@", "User")',
  mysqli: 'new mysqli("localhost", "root", "@", "shop")',
  'connection of Go': 'sql.Open("mysql", "root:@@tcp(db:3306)/shop")',
  'ftp commands': 'USER maria\nPASS @\n',
  'redis.conf': 'requirepass @\n',
  'ldap.conf': 'bindpw @\n',
  'net use': 'net use //files/share @ /user:shop/maria',
  psexec: 'psexec //web -u maria -p @ cmd',
  winrs: 'winrs -r:web -u:maria -p:@ dir',
  knife: 'knife bootstrap web -x maria -P @',
  'rar -hp': 'rar a -hp@ backup.rar data',
  poetry: 'poetry config http-basic.shop maria @',
  'bundle config': 'bundle config gems.shop.io maria:@',
  rclone: 'rclone config create shop webdav user maria pass @',
  'INSERT INTO': "INSERT INTO users (name, password) VALUES ('maria', '@');",
  'bold name': '**Password:** @',
  'name in HTML': 'Password: <code>@</code>',
  'table of Markdown': '| user | password |\n|---|---|\n| admin | @ |',
  'table of a database': ' id | password | name\n----+----------+------\n  7 | @ | maria\n',
  CSV: 'user,password\nadmin,root-1\nmaria,@\n',
  'pair of a login': 'log in with maria / @ and look at the orders',
  'state of Terraform': '{"type":"random_password","instances":[{"attributes":{"id":"none","result":"@"}}]}',
  'output of Terraform': '{"db_password": {"value": "@", "type": "string", "sensitive": true}}',
  'cypher-shell': 'cypher-shell -u neo4j -p @ "match (n) return n"',
  'security of macOS': "security add-generic-password -a me -s svc -w '@'",
  unlock: 'security unlock-keychain -p "@" build.keychain',
  dscl: "dscl . -passwd /Users/maria '@'",
  signtool: 'signtool sign /f cert.pfx /p @ app.exe',
  schtasks: 'schtasks /create /ru maria /rp @ /tn backup',
  certutil: 'certutil -f -p "@" -importpfx a.pfx',
  plink: 'plink -pw @ deploy@web uptime',
  'secret from a pipe': 'echo -n "@" | gcloud secrets create db --data-file=-',
  'env from a here string': 'vercel env add DB_PASSWORD production <<< "@"',
  'router of Cisco': 'username admin privilege 15 secret 0 @',
  'pair of requests': "requests.get(url, auth=('admin', '@'))",
  btoa: "headers: { Authorization: 'Basic ' + btoa('admin:@') }",
  'default of JavaScript': "const p = process.env.DB_PASSWORD || '@'",
  'default of Python': 'os.environ.setdefault("DB_PASSWORD", "@")',
  'default of a shell': 'DB_PASSWORD="$' + '{DB_PASSWORD:-@}"',
  'value on the next line': 'export DB_PASSWORD=\\\n  "@"',
  plist: '<key>Password</key>\n<string>@</string>',
  'strings of Android': '<string name="db_password">@</string>',
  'field of Gradle': 'buildConfigField("String", "DB_PASSWORD", "\\"@\\"")',
  'cells with backticks': '| Service | User | Password |\n|---|---|---|\n| db | app | `@` |',
  sentence: 'the admin password is @',
  'sentence about a shop': 'The password for the shop is now `@`, please keep it.',
  Passwort: 'Das Passwort ist @.',
  'Passwort lautet': 'Das Kennwort für den Server lautet: @',
  'mot de passe': 'Le mot de passe est @ pour le serveur',
  contraseña: 'La contraseña es @',
  senha: 'A senha do banco: @',
  пароль: 'Мой пароль: @',
  'sentence of a change': 'I changed the root password to @',
  'sentence with pass': 'my pass is @ by the way',
  heslo: 'heslo je @',
  hasło: 'hasło to @',
  'mdp est': "le mdp c'est @",
  clave: 'la clave es @',
  'password è': 'la password è @',
  şifre: 'şifre: @',
  'пароль —': 'пароль — @',
  비밀번호: '비밀번호는 @ 입니다',
  パスワード: 'パスワードは@',
  'mật khẩu': 'mật khẩu: @',
  'كلمة المرور': 'كلمة المرور: @',
  סיסמה: 'הסיסמה היא @',
  密码: '密码是 @',
  'creds of skopeo': 'skopeo copy --src-creds=maria:@ docker://shop docker://web',
  'creds of buildah': "buildah push --creds 'maria:@' shop",
  'password of wifi in code': 'WiFi.begin("Shop", "@");',
  wpa_passphrase: 'wpa_passphrase Shop @',
  'network of macOS': 'networksetup -setairportnetwork en0 Shop @',
  mkpasswd: 'mkpasswd -m sha-512 @',
  'openssl passwd': 'openssl passwd -6 @',
  'az sql -p': 'az sql server create -n shop -g rg -u app -p @',
  'pulumi config': 'pulumi config set --secret dbPassword @',
  'travis env': 'travis env set DB_LOGIN @ --private',
  'secrets of dotnet': 'dotnet user-secrets set "Smtp:Login" "@"',
  'from-literal': 'kubectl create secret generic db --from-literal=dsn=@',
  'vault kv put': 'vault kv put secret/shop smtp=@',
  'rclone obscure': 'rclone obscure @',
  'ipa-client-install': 'ipa-client-install -p admin -w @',
  'masked by a workflow': '::add-mask::@',
  'output of a workflow': '::set-output name=token::@',
  'file of openvpn': 'echo -e "maria\\n@" > auth.txt',
  'snmp community': 'snmp-server community @ RO',
  juniper: 'set system root-authentication plain-text-password-value @',
  haproxy: 'user maria insecure-password @',
  nickserv: '/msg NickServ IDENTIFY @',
  'lftp open': 'lftp -e "open -u deploy,@ ftp.shop.io"',
  'passwords of postfix': '[smtp.shop.io]:587 maria.shop.io:@',
  msmtprc: 'host smtp.shop.io\nuser maria\npassword @\n',
  unattend: '<Password><Value>@</Value><PlainText>true</PlainText></Password>',
  'string of Perl': 'my $password = q{@};',
  'string of C': 'static const char password[] = "@";',
  'string of Rust': 'static DB_PASSWORD: &\'static str = "@";',
  'string of T-SQL': "CREATE LOGIN app WITH PASSWORD = N'@';",
  'string of bash': "export SMTP_PASS=$'@'",
  'change of Terraform': '  ~ password = "old-one" -> "@"',
  'pass insert': 'echo "@" | pass insert -e shop/db',
  'secret-tool': "printf '@' | secret-tool store --label=shop a b",
  'expect without case': 'expect -re "assword:" { send "@\\r" }',
  'values of vault': 'Key         Value\n---         -----\npassword    @\nusername    app',
  pass_phrase: 'pass_phrase=@',
  MOT_DE_PASSE: 'MOT_DE_PASSE=@',
  'sentence of a root': 'root pw is @',
  'sentence with mettre': "j'ai mis le mot de passe à @",
  'sentence of once': 'mein Passwort war früher @',
  'sentence with guillemets': 'Le mot de passe du serveur est « @ »',
  'pair of a German': 'Log dich mit maria / @ ein',
  'pair of a Frenchman': 'Identifiants : maria / @',
  'pair of a login in brackets': 'login (maria/@)',
}

/** Tokens with a known beginning: the kind, the beginning, the alphabet and the length of the rest. */
const BEGUN: readonly (readonly [kind: string, start: string, alphabet: string, length: number])[] = [
  ['google-key', 'AQ.Ab8RN6', URL_SAFE, 44],
  ['adafruit-key', 'aio_', ALNUM, 28],
  ['alibaba-key', 'LTAI', ALNUM, 20],
  ['apify-token', 'apify_api_', ALNUM, 36],
  ['atlassian-token', 'ATATT3xFfGF0', URL_SAFE, 180],
  ['aws-id', 'AROA', `${UPPER}234567`, 17],
  ['aws-session', 'IQoJb3JpZ2lu', BASE64, 320],
  ['aws-bedrock-key', 'ABSKQmVkcm9ja0FQSUtleS', BASE64, 90],
  ['axiom-token', 'xaat-', HEX, 36],
  ['bitbucket-token', 'ATBB', ALNUM, 32],
  ['brevo-key', 'xkeysib-', HEX, 81],
  ['buildkite-token', 'bkua_', HEX, 40],
  ['cerebras-key', 'csk-', LOWER + DIGITS, 48],
  ['circleci-token', 'CCIPAT_', ALNUM, 60],
  ['clojars-token', 'CLOJARS_', LOWER + DIGITS, 60],
  ['cloudflare-key', 'v1.0-', URL_SAFE, 171],
  ['contentful-token', 'CFPAT-', URL_SAFE, 43],
  ['crates-token', 'cio', ALNUM, 32],
  ['cursor-key', 'crsr_', HEX, 64],
  ['doppler-token', 'dp.pt.', ALNUM, 43],
  ['dropbox-token', 'sl.B', URL_SAFE, 134],
  ['duffel-token', 'duffel_live_', URL_SAFE, 43],
  ['dynatrace-token', 'dt0c01.', UPPER + DIGITS, 88],
  ['e2b-key', 'e2b_', HEX, 40],
  ['easypost-key', 'EZAK', ALNUM, 54],
  ['elastic-key', 'essu_', BASE64, 60],
  ['elevenlabs-key', 'sk_', HEX, 48],
  ['facebook-token', 'EAAC', ALNUM, 180],
  ['firecrawl-key', 'fc-', HEX, 32],
  ['fireworks-key', 'fw_', ALNUM, 22],
  ['flutterwave-key', 'FLWSECK-', ALNUM, 34],
  ['fly-token', 'fo1_', URL_SAFE, 43],
  ['frameio-token', 'fio-u-', URL_SAFE, 64],
  ['heroku-key', 'HRKU-', URL_SAFE, 60],
  ['honeycomb-key', 'hcaik_', ALNUM, 58],
  ['infracost-key', 'ico-', ALNUM, 32],
  ['inngest-key', 'signkey-prod-', HEX, 64],
  ['intercom-token', 'dG9rO', ALNUM, 55],
  ['jfrog-token', 'AKCp', ALNUM, 69],
  ['jina-key', 'jina_', URL_SAFE, 60],
  ['klaviyo-key', 'pk_', HEX, 34],
  ['langfuse-key', 'sk-lf-', HEX, 36],
  ['langsmith-key', 'lsv2_pt_', HEX, 43],
  ['logfire-token', 'pylf_v1_', ALNUM, 43],
  ['mailersend-token', 'mlsn.', HEX, 64],
  ['mapbox-token', 'sk.eyJ', ALNUM, 90],
  ['mws-key', 'amzn.mws.', HEX, 36],
  ['neon-key', 'napi_', LOWER + DIGITS, 64],
  ['netlify-token', 'nfp_', ALNUM, 36],
  ['newrelic-key', 'NRAK-', UPPER + DIGITS, 27],
  ['nuget-key', 'oy2', LOWER + DIGITS, 43],
  ['nvidia-key', 'nvapi-', URL_SAFE, 64],
  ['onepassword-token', 'ops_eyJ', BASE64, 250],
  ['onesignal-key', 'os_v2_app_', LOWER + DIGITS, 104],
  ['openrouter-key', 'sk-or-v1-', HEX, 64],
  ['openshift-token', 'sha256~', URL_SAFE, 43],
  ['paddle-key', 'pdl_live_apikey_', ALNUM, 50],
  ['paseto', 'v4.local.', URL_SAFE, 120],
  ['perplexity-key', 'pplx-', ALNUM, 48],
  ['pinecone-key', 'pcsk_', ALNUM, 70],
  ['planetscale-token', 'pscale_tkn_', ALNUM, 43],
  ['polar-token', 'polar_oat_', ALNUM, 43],
  ['posthog-key', 'phx_', ALNUM, 43],
  ['postman-key', 'PMAK-', HEX, 59],
  ['prefect-key', 'pnu_', ALNUM, 36],
  ['pulumi-token', 'pul-', HEX, 40],
  ['readme-key', 'rdme_', LOWER + DIGITS, 70],
  ['render-key', 'rnd_', ALNUM, 28],
  ['replicate-token', 'r8_', ALNUM, 37],
  ['resend-key', 're_', ALNUM, 33],
  ['rubygems-key', 'rubygems_', HEX, 48],
  ['sentry-token', 'sntryu_', HEX, 64],
  ['shippo-token', 'shippo_live_', HEX, 40],
  ['socket-key', 'sktsec_', ALNUM, 44],
  ['sonarqube-token', 'squ_', HEX, 40],
  ['sourcegraph-token', 'sgp_', HEX, 40],
  ['square-token', 'sq0atp-', URL_SAFE, 22],
  ['stripe-webhook', 'whsec_', ALNUM, 32],
  ['stytch-secret', 'secret-live-', ALNUM, 36],
  ['tavily-key', 'tvly-', ALNUM, 32],
  ['telnyx-key', 'KEY01', ALNUM, 52],
  ['tinybird-token', 'p.eyJ', ALNUM, 120],
  ['together-key', 'tgp_v1_', URL_SAFE, 43],
  ['trigger-key', 'tr_prod_', ALNUM, 20],
  ['typeform-token', 'tfp_', ALNUM, 59],
  ['vk-token', 'vk1.a.', URL_SAFE, 198],
  ['voyage-key', 'pa-', URL_SAFE, 43],
  ['wallet-key', 'xprv', ALNUM, 107],
  ['wandb-key', 'wandb_v1_', ALNUM, 77],
  ['x-bearer', 'A'.repeat(21), ALNUM, 90],
  ['xai-key', 'xai-', ALNUM, 80],
  ['yandex-key', 'AQVN', URL_SAFE, 36],
]

/** Known by what is around them: the secret, and the text about it. */
const PLACED: Readonly<Record<string, fc.Arbitrary<readonly [string, string]>>> = {
  'slack-webhook': aloneOf('slack-webhook').map(path => [path, `https://hooks.slack.com/services/${path}`]),
  'aws-secret': chars(BASE64, 40).map(key => [key, `aws_secret_access_key = ${key}`]),
  'azure-key': chars(BASE64, 86).map(key => [
    `${key}==`,
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key}==;EndpointSuffix=core.windows.net`,
  ]),
  'discord-webhook': chars(URL_SAFE, 68).map(key => [
    key,
    `https://discord.com/api/webhooks/1012345678901234567/${key}`,
  ]),
  'database-login': chars(ALNUM, 14).map(word => [word, `postgres://app:${word}@db.internal:5432/shop`]),
  'url-login': chars(ALNUM, 14).map(word => [word, `https://deploy:${word}@git.company.io/app.git`]),
  authorization: fc.oneof(
    chars(URL_SAFE, 40).map((key): readonly [string, string] => [
      key,
      `curl -H 'Authorization: Bearer ${key}' https://api`,
    ]),
    chars(BASE64, 31).map((key): readonly [string, string] => [`${key}=`, `Authorization: Basic ${key}=`]),
  ),
  cookie: chars(ALNUM, 32).map(key => [key, `Cookie: theme=dark; session=${key}; lang=en`]),
  password: fc.oneof(
    chars(`${ALNUM}!@#%^*`, 14).map((word): readonly [string, string] => [word, `DB_PASSWORD=${word}`]),
    chars(ALNUM, 14).map((word): readonly [string, string] => [word, `password: "${word}"`]),
    chars(ALNUM, 14).map((word): readonly [string, string] => [word, `mysqldump --password ${word} shop`]),
  ),
  secret: chars(ALNUM, 32).map(key => [key, `client_secret: '${key}'`]),
  token: chars(ALNUM, 32).map(key => [key, `https://api.shop.io/v1/orders?access_token=${key}&page=2`]),
  'api-key': fc.oneof(
    chars(HEX, 32).map((key): readonly [string, string] => [key, `export DATADOG_API_KEY=${key}`]),
    chars(ALNUM, 40).map((key): readonly [string, string] => [key, `{"apiKey": "${key}"}`]),
  ),
  'okta-token': chars(URL_SAFE, 40).map(key => [`00${key}`, `Authorization: SSWS 00${key}`]),
  'google-refresh': chars(URL_SAFE, 60).map(key => [`1//0${key}`, `refresh 1//0${key} done`]),
  'teams-webhook': chars(URL_SAFE, 70).map(key => [key, `https://shop.webhook.office.com/webhookb2/${key}`]),
  'azure-signature': chars(ALNUM, 43).map(key => [
    key,
    `https://shop.blob.core.windows.net/a?sv=2024&sig=${key}`,
  ]),
  'aws-signature': chars(HEX, 64).map(key => [key, `https://s3.amazonaws.com/b/o?X-Amz-Signature=${key}`]),
  'aws-account': chars('123456789', 12).map(key => [key, `AWS_ACCOUNT_ID=${key}`]),
  session: chars(ALNUM, 32).map(key => [key, `PHPSESSID=${key}`]),
  'client-key-data': chars(ALNUM, 80).map(key => [key, `    client-key-data: ${key}`]),
  'kubeconfig token': chars(ALNUM, 40).map(key => [key, `users:\n- name: admin\n  user:\n    token: ${key}`]),
  'docker auth': chars(ALNUM, 12)
    .map(word => Buffer.from(`maria:${word}`).toString('base64'))
    .map(key => [key, `{"auths":{"registry.internal":{"auth":"${key}"}}}`]),
  private_key_id: chars(HEX, 40).map(key => [key, `"private_key_id": "${key}",`]),
  npmrc: chars(BASE64, 40).map(key => [key, `//registry.internal/:_auth=${key}`]),
  'basic header': chars(ALNUM, 30).map(key => [key, `Authorization: Basic ${key}`]),
  'seed phrase': seed.map(words => [words, `seed phrase: ${words}`]),
  'seed phrase by itself': seed.map(words => [words, `wallet.txt:\n${words}\n`]),
  'api key in a sentence': chars(ALNUM, 24).map(key => [key, `my api key for the shop is ${key}`]),
  'key in an address': chars(ALNUM, 32).map(key => [key, `https://api.shop.io/v1/orders?key=${key}&page=2`]),
  'uuid in a variable': uuid.map(key => [key, `SNYK_TOKEN=${key}`]),
  'key of Rails': chars(HEX, 128).map(key => [key, `secret_key_base: ${key}`]),
  'key of Azure': chars(BASE64, 86).map(key => [`${key}==`, `AZURE_STORAGE_KEY=${key}==`]),
  'token for sonar': chars(HEX, 40).map(key => [key, `sonar-scanner -Dsonar.login=${key}`]),
  'token in a pipe': chars(ALNUM, 40).map(key => [key, `echo ${key} | wrangler secret put API_KEY`]),
  'cookies of a call': chars(ALNUM, 32).map(key => [key, `requests.get(u, cookies={"sessionid": "${key}"})`]),
  'cookie of a page': chars(ALNUM, 40).map(key => [key, `document.cookie = "session=${key}"`]),
  'key of AWS': chars(BASE64, 40).map(key => [key, `aws configure set aws_secret_access_key ${key}`]),
  'secret of a web token': chars(ALNUM, 40).map(key => [key, `jwt.sign(order, "${key}")`]),
  'token of Twilio': chars(HEX, 32).map(key => [
    key,
    `Client("AC8b21a9f761e01a7e47f6ba92dc7b532f", "${key}")`,
  ]),
  'pair of a password': chars(`${ALNUM}!#`, 14).map(word => [`${word}!1aB`, `creds: maria:${word}!1aB\n`]),
  'cookie of curl': chars(ALNUM, 32).map(key => [key, `curl -b "session=${key}" https://shop.internal`]),
  'preshared key': chars(BASE64, 43).map(key => [`${key}=`, `PresharedKey = ${key}=`]),
  'table of tokens': chars(ALNUM, 40).map(key => [key, `name,token\nci,${key}\n`]),
  'values of Kubernetes': chars(ALNUM, 15)
    .map(word => Buffer.from(word).toString('base64'))
    .map(key => [
      key,
      `apiVersion: v1\ndata:\n  dsn: ${key}\n  user: YWRtaW4=\nkind: Secret\nmetadata:\n  name: db\n`,
    ]),
  'stringData of Kubernetes': chars(ALNUM, 14).map(word => [
    word,
    `kind: Secret\nmetadata:\n  name: db\nstringData:\n  dsn: "${word}"\n`,
  ]),
  'values of Kubernetes in JSON': chars(ALNUM, 15)
    .map(word => Buffer.from(word).toString('base64'))
    .map(key => [key, `{"apiVersion":"v1","data":{"dsn":"${key}"},"kind":"Secret"}`]),
  'cookies of a browser': chars(ALNUM, 32).map(key => [
    key,
    `.shop.io\tTRUE\t/\tTRUE\t1790000000\tuser_session\t${key}`,
  ]),
  'unseal key': chars(BASE64, 43).map(key => [`${key}=`, `Unseal Key 1: ${key}=`]),
  'root token': chars(ALNUM, 24).map(key => [`s.${key}`, `Initial Root Token: s.${key}`]),
  'wallet of code': chars(HEX, 64).map(key => [`0x${key}`, `new ethers.Wallet("0x${key}")`]),
  otpauth: chars(`${UPPER}234567`, 32).map(key => [
    key,
    `otpauth://totp/Shop:maria?secret=${key}&issuer=Shop`,
  ]),
  'password for one program': fc
    .tuple(...['bcdfg', 'hjkl', 'mnpq', 'rstv'].map(letters => chars(letters, 4)))
    .map(groups => groups.join(' '))
    .map(words => [words, `GMAIL_APP_PASSWORD="${words}"`]),
  'key of Algolia': chars(HEX, 32).map(key => [key, `algoliasearch('ABC123', '${key}')`]),
  'client of an API': chars(ALNUM, 40).map(key => [key, `co = cohere.Client("${key}")`]),
  'token of kubeadm': fc
    .tuple(chars(LOWER + DIGITS, 6), chars(LOWER + DIGITS, 16))
    .map(parts => parts.join('.'))
    .map(key => [key, `kubeadm join 10.0.0.1:6443 --token ${key} --discovery-token-ca-cert-hash x`]),
  'account of Windows': chars(HEX, 32).map(key => [
    key,
    `Administrator:500:aad3b435b51404eeaad3b435b51404ee:${key}:::`,
  ]),
  'end of a key': fc
    .array(chars(BASE64, 64), { minLength: 3, maxLength: 5 })
    .map(lines => [lines[1] ?? '', `${lines.join('\n')}\n-----END PRIVATE KEY-----\n`]),
  'numbered words': seed.map(words => [
    words
      .split(' ')
      .slice(4, 7)
      .map((word, at) => `${at + 5}. ${word}`)
      .join('\n'),
    `Your recovery phrase:\n${words
      .split(' ')
      .map((word, at) => `${at + 1}. ${word}`)
      .join('\n')}`,
  ]),
  'secret alone on its line': chars(ALNUM, 24).map(key => [
    key,
    `$ terraform output -raw db_password\n${key}\n`,
  ]),
  'token of netlify': chars(ALNUM, 43).map(key => [key, `netlify deploy --prod --auth ${key}`]),
  'token of doctl': chars(HEX, 64).map(key => [key, `doctl auth init -t ${key}`]),
  'key of wandb': chars(HEX, 40).map(key => [key, `wandb login ${key}`]),
  'bearer of httpie': chars(ALNUM, 40).map(key => [key, `http -A bearer -a ${key} https://api.shop.io`]),
  'alias of minio': chars(ALNUM, 40).map(key => [
    key,
    `mc alias set shop https://minio.internal admin ${key}`,
  ]),
  'token of heroku': uuid.map(key => [key, `heroku auth:token\n${key}`]),
  'header of consul': uuid.map(key => [key, `X-Consul-Token: ${key}`]),
  'functions of Azure': chars(ALNUM, 54).map(key => [key, `x-functions-key: ${key}==`]),
  'header of nginx': chars(HEX, 32).map(key => [key, `proxy_set_header X-Api-Key "${key}";`]),
  'salt of Drupal': chars(URL_SAFE, 74).map(key => [key, `$settings['hash_salt'] = '${key}';`]),
  'key of Magento': chars(HEX, 32).map(key => [key, `'crypt' => [ 'key' => '${key}' ],`]),
  'key of kaggle': chars(HEX, 32).map(key => [key, `{"username":"maria","key":"${key}"}`]),
  'key of pagerduty': chars(HEX, 32).map(key => [key, `routing_key: ${key}`]),
  'key of infura': chars(HEX, 32).map(key => [key, `https://mainnet.infura.io/v3/${key}`]),
  'key of alchemy': chars(ALNUM, 32).map(key => [key, `https://eth-mainnet.g.alchemy.com/v2/${key}`]),
  'accounts of hardhat': chars(HEX, 64).map(key => [key, `accounts: ["0x${key}"],`]),
  'signature of Google': chars(HEX, 512).map(key => [
    key,
    `https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=${key}`,
  ]),
  'signature of CloudFront': chars(ALNUM, 300).map(key => [
    key,
    `https://d1.cloudfront.net/a?Expires=1&Signature=${key}&Key-Pair-Id=K1`,
  ]),
  'code of Google': chars(URL_SAFE, 70).map(key => [key, `https://app/callback?code=4/0A${key}&scope=email`]),
  'link of a reset': chars(ALNUM, 43).map(key => [key, `https://shop.io/reset-password/${key}`]),
  'cookie of WordPress': chars(HEX, 64).map(key => [
    key,
    `wordpress_logged_in_4f1a2b=maria%7C1790000000%7C${key}`,
  ]),
  'web key': chars(ALNUM, 43).map(key => [
    key,
    `{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11","d":"${key}"}`,
  ]),
  'web key of one secret': chars(ALNUM, 43).map(key => [key, `{"k":"${key}","alg":"HS256","kty":"oct"}`]),
  'web key of RSA': chars(ALNUM, 340).map(key => [
    key,
    `{"kty":"RSA","e":"AQAB","n":"0vx7ago","d":"${key}"}`,
  ]),
  'recovery key of BitLocker': fc
    .array(fc.integer({ min: 100_000, max: 700_000 }), { minLength: 8, maxLength: 8 })
    .map(groups => groups.join('-'))
    .map(key => [key, `Recovery Key: ${key}`]),
  'backup codes': fc
    .array(
      chars(LOWER + DIGITS, 10).map(code => `${code.slice(0, 5)}-${code.slice(5)}`),
      { minLength: 8, maxLength: 8 },
    )
    .map(codes => [codes[3] ?? '', `Your backup codes:\n${codes.join('\n')}\n`]),
  Geheimnis: chars(ALNUM, 32).map(key => [key, `Client-Geheimnis: ${key}`]),
  'my key in a sentence': chars(ALNUM, 40).map(key => [key, `my key is ${key}`]),
  'token in the next line': chars(ALNUM, 40).map(key => [key, `Here is my token:\n\n${key}\n`]),
  'key in a block': chars(ALNUM, 40).map(key => [key, `API key:\n\`\`\`\n${key}\n\`\`\``]),
  'string of Objective-C': chars(ALNUM, 14).map(word => [word, `NSString *const kPassword = @"${word}";`]),
  'two lines for smbpasswd': password.map(word => [
    word,
    `(echo "${word}"; echo "${word}") | smbpasswd -a ada`,
  ]),
  'clé in a sentence': chars(ALNUM, 32).map(key => [key, `La clé d'API est ${key}`]),
  wireguard: chars(BASE64, 43).map(key => [`${key}=`, `[Interface]\nPrivateKey = ${key}=`]),
  'putty key': chars(BASE64, 64).map(key => [key, `Private-Lines: 14\n${key}\n${key}`]),
  'private-key': keyBlock('RSA PRIVATE KEY', 'MII'),
  'ssh-key': keyBlock('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjE'),
  'pgp-key': keyBlock('PGP PRIVATE KEY BLOCK', 'lQOYBF'),
}

function aloneOf(kind: string): fc.Arbitrary<string> {
  return ALONE[kind] ?? fc.constant('')
}

function keyBlock(name: string, magic: string): fc.Arbitrary<readonly [string, string]> {
  return fc.array(chars(BASE64, 64), { minLength: 4, maxLength: 12 }).map(([first = '', ...rest]) => {
    const lines = [`${magic}${first}`.slice(0, 64), ...rest]
    return [lines[1] ?? '', [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`].join('\n')]
  })
}

/** The kind under which a plant is found, where its own name says where it stands. */
const FOUND_AS: Readonly<Record<string, string>> = {
  'values of Kubernetes': 'secret',
  'values of Kubernetes in JSON': 'secret',
  'cookies of a browser': 'cookie',
  'unseal key': 'vault-token',
  'root token': 'vault-token',
  'wallet of code': 'wallet-key',
  otpauth: 'secret',
  'password for one program': 'password',
  'key of Algolia': 'api-key',
  'client of an API': 'api-key',
  'stringData of Kubernetes': 'secret',
  'token of kubeadm': 'token',
  'account of Windows': 'password-hash',
  'end of a key': 'private-key',
  'numbered words': 'seed-phrase',
  'secret alone on its line': 'prose-secret',
  'google-refresh': 'google-oauth',
  'token of netlify': 'password',
  'token of doctl': 'password',
  'key of wandb': 'password',
  'bearer of httpie': 'password',
  'alias of minio': 'secret',
  'token of heroku': 'token',
  'header of consul': 'token',
  'functions of Azure': 'api-key',
  'header of nginx': 'api-key',
  'salt of Drupal': 'api-key',
  'key of Magento': 'api-key',
  'key of kaggle': 'api-key',
  'key of pagerduty': 'api-key',
  'key of infura': 'api-key',
  'key of alchemy': 'api-key',
  'accounts of hardhat': 'wallet-key',
  'signature of Google': 'google-signature',
  'signature of CloudFront': 'aws-signature',
  'code of Google': 'google-oauth',
  'link of a reset': 'token',
  'cookie of WordPress': 'cookie',
  'web key': 'private-key',
  'web key of one secret': 'private-key',
  'web key of RSA': 'private-key',
  'recovery key of BitLocker': 'password',
  'backup codes': 'password',
  Geheimnis: 'secret',
  'my key in a sentence': 'prose-secret',
  'token in the next line': 'prose-secret',
  'key in a block': 'prose-secret',
  'string of Objective-C': 'password',
  'two lines for smbpasswd': 'password',
  'clé in a sentence': 'prose-secret',
  'client-key-data': 'secret',
  'kubeconfig token': 'token',
  'docker auth': 'password',
  private_key_id: 'api-key',
  npmrc: 'token',
  'basic header': 'authorization',
  'seed phrase': 'seed-phrase',
  'seed phrase by itself': 'seed-phrase',
  'api key in a sentence': 'prose-secret',
  'key in an address': 'api-key',
  'uuid in a variable': 'token',
  'key of Rails': 'api-key',
  'key of Azure': 'api-key',
  'token for sonar': 'password',
  'token in a pipe': 'password',
  'cookies of a call': 'session',
  'cookie of a page': 'cookie',
  'key of AWS': 'aws-secret',
  'secret of a web token': 'password',
  'token of Twilio': 'password',
  'pair of a password': 'prose-secret',
  'cookie of curl': 'password',
  'preshared key': 'api-key',
  'table of tokens': 'token',
  wireguard: 'api-key',
  'putty key': 'ssh-key',
}
const TOLD =
  /^(?:sentence|pair of a|Passwort|mot de|contra|senha|пароль|密码|heslo|hasło|mdp|clave|password è|şifre|비밀번호|パスワード|mật|كلمة|סיסמה)/

/** One of any kind, in a text. */
export const PLANTS: ReadonlyMap<string, fc.Arbitrary<Plant>> = new Map([
  ...Object.entries(ALONE)
    .filter(([kind]) => kind !== 'slack-webhook')
    .map(([kind, made]): [string, fc.Arbitrary<Plant>] => [
      kind,
      made.map(secret => ({ kind, secret, text: secret })),
    ]),
  ...BEGUN.map(([kind, start, alphabet, length]): [string, fc.Arbitrary<Plant>] => [
    kind,
    begun(start, alphabet, length).map(secret => ({ kind, secret, text: secret })),
  ]),
  ...Object.entries(PLACED).map(([name, made]): [string, fc.Arbitrary<Plant>] => [
    name,
    made.map(([secret, text]) => ({ kind: FOUND_AS[name] ?? name, secret, text })),
  ]),
  ...Object.entries(LINES).map(([name, line]): [string, fc.Arbitrary<Plant>] => [
    name,
    password.map(secret => ({
      kind: TOLD.test(name) ? 'prose-secret' : 'password',
      secret,
      text: line.replace('@', () => secret),
    })),
  ]),
])

/** Runs of base64 to put around a secret. */
export const noise: fc.Arbitrary<string> = fc
  .noShrink(fc.noBias(fc.uint8Array({ minLength: 30, maxLength: 60 })))
  .map(bytes => Buffer.from(bytes).toString('base64').replaceAll('=', ''))

/** Names of plants that are found in the middle of other characters: their beginnings are in no word. */
export const IN_NOISE: readonly string[] = [
  ...Object.keys(ALONE).slice(0, 36),
  ...Object.keys(PLACED).slice(0, 12),
].filter(name => !['discord-token', 'mailgun-key', 'cookie', 'password'].includes(name))

/** Ways in which a text gets into a transcript. */
export const FORMS: ReadonlyMap<string, (text: string) => string> = new Map<string, (text: string) => string>(
  [
    ['by itself', text => text],
    ['in a sentence', text => `I found ${text} in the logs, is that right?`],
    ['in a line of output', text => `$ env\nPATH=/usr/bin\n${text}\nHOME=/root\n`],
    [
      'in a listing with line numbers',
      text =>
        text
          .split('\n')
          .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
          .join('\n'),
    ],
    ['in JSON', text => JSON.stringify({ output: `ok\n${text}\n` })],
    ['in JSON in JSON', text => JSON.stringify({ body: JSON.stringify({ log: `\t${text}\n"end"` }) })],
    ['in JSON in JSON in JSON', text => JSON.stringify(JSON.stringify(JSON.stringify({ a: [text] })))],
    ['in colours', text => `\u001b[32m${text}\u001b[0m done`],
    [
      'in a diff',
      text =>
        text
          .split('\n')
          .map(line => `+${line}`)
          .join('\n'),
    ],
    ['in base64', text => `iVBORw0KGgoAAAANSUhEUgAA ${text} AAAAB3NzaC1yc2EAAAADAQAB+/4=`],
    ['in Markdown', text => `Use \`${text}\` here.`],
  ],
)

/** Encodings of a text. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'of addresses': text => encodeURIComponent(text),
  'of forms': text => new URLSearchParams({ q: text }).toString(),
  'of HTML': text => text.replace(/[^A-Za-z0-9 ]/g, char => `&#${char.codePointAt(0)};`),
  'of HTML, all': text => text.replace(/./gsu, char => `&#x${char.codePointAt(0)?.toString(16)};`),
  'of quotes': text => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  base64: text => `see ${Buffer.from(text).toString('base64')} there`,
  'base64 for addresses': text => `/a/${Buffer.from(text).toString('base64url')}`,
  'base64 over lines': text =>
    Buffer.from(`${'x'.repeat(90)}\n${text}\n`)
      .toString('base64')
      .replace(/.{76}/g, '$&\n'),
  'colours inside': text => text.replace(/.{5}/gsu, '$&\u001b[1m'),
  escapes: text => text.replace(/[^ ]/gu, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
}
