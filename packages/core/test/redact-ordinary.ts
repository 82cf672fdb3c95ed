/** Ordinary lines of code, output and prose that look like secrets: 500 of them, none of which is one. */
import fc from 'fast-check'

const NAMES = [
  'password',
  'apiKey',
  'token',
  'secret',
  'accessToken',
  'DB_PASSWORD',
  'API_KEY',
  'client_secret',
]

/** What code, templates and documents do with such names; `@` stands for the name. */
const USES = [
  '@: string',
  '@?: string | null',
  '  @: z.string().min(8).max(128),',
  'private readonly @: SecretString,',
  'const { @ } = await readConfig(path)',
  'const @ = process.env.@ ?? ""',
  '@ = os.environ["@"]',
  '@: Optional[str] = None',
  'let @ = std::env::var("@").expect("@ is not set");',
  'if (@ === undefined) throw new Error("Missing @")',
  'export @=changeme',
  '@=<your-value>',
  `@=${'$'}{@}`,
  `@: ${'$'}{{ secrets.@ }}`,
  '@: "{{ vault_@ }}"',
  '@ = var.@',
  '    @: !Ref @Parameter',
  '<input type="password" name="@" placeholder="Enter your @" />',
  'The @ is required and must have at least 8 characters.',
  'The @ is stored in the keychain; it is never written to disk.',
  'Set @ in your environment, then run `npm start`.',
  '# @: rotate it every 90 days, see docs/security.md',
  'expect(result.@).toBeUndefined()',
  'mysql> SELECT @ FROM users WHERE id = 42;',
  '-- ALTER TABLE users ADD COLUMN @ VARCHAR(255) NOT NULL;',
]

const LINES = String.raw`
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
Merge: 3f2a1b9 7c8d9e0
index 83db48f..bf2a4c1 100644
HEAD is now at 4b825dc tests pass again
[main 1a2b3c4] Password reset: send the link once
 create mode 100644 src/auth/password-reset.ts
d41d8cd98f00b204e9800998ecf8427e  empty.txt
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
SHA256:uNiVztksCsDhcc0u9e8BrqFR4VvFkT8vQj8z3fJg1aE user@host (ED25519)
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl dev@laptop
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
"integrity": "sha512-yDdWLgHEiqSFr1kNfCzYZxQ9b0tZ3mX4vJ8PqWnRrT5uHk2LsAeGc7oBiMfVxQzD6yN1jK0wUtE3hC9aSgOlRw=="
"resolved": "https://packages.example.org/left-pad/-/left-pad-1.3.0.tgz",
"uuid":"4539d2d0-eb7d-486f-a7f9-2dc9916cf162","parentUuid":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"
"requestId":"req_011CSHoEeqs5C35K2UUqR7Fy"
"id":"msg_01XFDUDYJgAACzvnptvVoYEL","type":"message"
"tool_use_id":"toolu_01A09q90qw90lq917835lq9"
"signature":"EqQBCgIYAhIkMDU2NzE5YWItYjM0Zi00ZTQyLTk5ZDgtMGE3ZjYzZDY1MmE4GgxJ0m3JbXk="
"max_tokens": 200000, "cache_read_input_tokens": 123456789
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
src: url(data:font/woff2;base64,d09GMgABAAAAAAUYAA4AAAAACjAAAATFAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXSwibmFtZXMiOltdfQ==
aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBwbGFpbiB0ZXh0IHdpdGhvdXQgYW55dGhpbmcgaW4gaXQ=
docker run -d -p 8080:80 -p 5432:5432 --name web nginx:1.27.3-alpine
docker login -u maria -p $REGISTRY_PASSWORD registry.internal
docker login ghcr.io -u USERNAME --password-stdin
ssh -p 2222 deploy@host.internal uptime
mkdir -p packages/core/src/redact
cp -a dist/. public/
mysql -u root -p shop < dump.sql
mysql -u root -p"$MYSQL_ROOT_PASSWORD" shop
mysqldump -u app -p shop > shop.sql
curl -u user:password https://api.example.com
curl -u "$USER:$PASS" https://api.internal
curl -u admin:admin http://localhost:8080/health
curl -fsSL https://deb.nodesource.com/setup_22.x | sudo -E bash -
redis-cli -h localhost -p 6379 ping
redis-cli -a "$REDIS_PASSWORD" info
sshpass -e ssh deploy@host
openssl rand -hex 32
openssl rsa -in key.pem -passin env:KEY_PASS
openssl dgst -sha256 -sign key.pem release.tar.gz
htpasswd -c .htpasswd maria
echo "done" | tee build.log
echo $TOKEN | docker login -u maria --password-stdin
psql -h localhost -p 5432 -U postgres shop
PGPASSWORD=postgres psql -h localhost
PGPASSWORD=$DB_PASSWORD pg_dump shop
POSTGRES_PASSWORD=postgres
MYSQL_ROOT_PASSWORD=root
MYSQL_ROOT_PASSWORD=example
REDIS_PASSWORD=
SMTP_PASSWORD=your-smtp-password
KEYCLOAK_ADMIN_PASSWORD=admin
export ANTHROPIC_API_KEY=<your key>
export ANTHROPIC_API_KEY=sk-ant-...
export OPENAI_API_KEY="sk-..."
OPENAI_API_KEY=sk-your-key-here
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ghp_ tokens have 36 characters after the prefix
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
JWT_SECRET=change-me-in-production
SESSION_SECRET=keyboard cat
NEXTAUTH_SECRET=replace-with-a-random-string
STRIPE_KEY=sk_test_...
SLACK_WEBHOOK=https://hooks.slack.com/services/XXX/YYY/ZZZ
DATABASE_URL=postgres://user:password@localhost:5432/db
DATABASE_URL=postgres://postgres:postgres@db:5432/app
MONGO_URL=mongodb://localhost:27017/test
AMQP_URL=amqp://guest:guest@rabbitmq:5672/
https://user:pass@host/path
https://github.com/owner/repository/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/src/index.ts
git@github.com:owner/repository.git
git clone https://github.com/owner/repository.git
npm install @types/node@22.10.2 typescript@5.9.0-dev.20260101
go: downloading golang.org/x/crypto v0.31.0 h1:ihbySMvVjLAeSH1IbfcRTkD/iNscyz8rGzjF/E5hV6U=
golang.org/x/sys v0.28.0 h1:Fksou7UEQUWlKvIdsqzJmUmCX3cZuD2+P3XyyzwMhlA=
checksum = "0de6f18d4d3b2b0a1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081"
resolved 1.2.3-beta.4+build.20260101
Python 3.12.7 (main, Oct  1 2026, 02:05:46) [Clang 16.0.6]
TypeScript 5.9.0-dev.20260101
--- PASS: TestPasswordReset2 (0.01s)
--- PASS: TestTokenRefresh/expired_token (0.00s)
PASS src/auth/password.test.ts (5.123 s)
FAIL src/auth/token.test.ts > rejects an expired token
ok  	github.com/shop/auth	0.512s
Test Files  12 passed (12)
✓ password: rejects short ones (12 ms)
password = process.env.DB_PASSWORD
password: process.env.SMTP_PASSWORD,
const token = await getAccessToken(user, options)
const token = req.headers.authorization?.split(' ')[1]
const secret = crypto.randomBytes(32).toString('hex')
const hash = await bcrypt.hash(password, 10)
const isValid = await bcrypt.compare(password, user.passwordHash)
const apiKey = request.headers.get('x-api-key')
const key = createHash('sha256').update(path).digest('hex')
const STORAGE_KEY = "dagline-theme-v2"
const cacheKey = "users:list:page-2"
cacheKey = "9fceb02d0ae598e95dc970b74767f19372d61af8"
primary_key: "users_pkey_2024_01_partition"
password: str = Field(min_length=8)
password: Uint8Array
password: Buffer | Uint8Array
password: Argon2Hash
password: HashedPassword2
pub password: Option<String>,
password string ${'`'}json:"password,omitempty"${'`'}
Password string ${'`'}yaml:"password"${'`'}
user.setPassword(encoder.encode(request.getPassword()));
user.setPassword(password)
form.setValue("password", "")
await page.fill('#password', process.env.E2E_PASSWORD)
await page.getByLabel('Password').fill(user.password)
cy.get('[name=password]').type(Cypress.env('password'))
expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
password: 'Passwort',
password: 'Mot de passe',
passwordLabel: 'Your password',
passwordHint: 'Use 8 or more characters with a mix of letters, numbers and symbols',
"password": "Password must be at least 8 characters",
"passwordMismatch": "Passwords do not match",
"token": null,
"token": "",
"tokens": 1234567,
"token_type": "bearer",
"expires_in": 3600,
"grant_type": "refresh_token",
grant_type=client_credentials&client_id=shop&scope=read
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
Authorization: Bearer YOUR_ACCESS_TOKEN
-H "Authorization: Bearer ${'$'}{process.env.API_TOKEN}"
WWW-Authenticate: Bearer realm="shop", error="invalid_token"
Set-Cookie: theme=dark; Path=/; Max-Age=31536000
Cookie: theme=dark; lang=en
next_page_token: "CAUQAA"
nextToken = "TKSmartCardTokenDriver"
TokenKind::LeftParenthesis1 => TokenKind::RightParenthesis2
token=4539d2d0-eb7d-486f-a7f9-2dc9916cf162
<PasswordInput value={password} onChange={setPassword} />
label.password=Password
spring.datasource.password=${'$'}{DB_PASSWORD}
spring.datasource.username=sa
quarkus.datasource.password=quarkus
ansible_become_pass: "{{ lookup('env', 'BECOME_PASS') }}"
password: "{{ db_password }}"
password: !vault |
passwordSecretRef:
secretName: shop-database
valueFrom: { secretKeyRef: { name: shop-db, key: password } }
client-certificate-data: REDACTED
    token: REDACTED
kubectl get secret shop-db -o jsonpath='{.data.password}' | base64 -d
"auth": "oauth2"
"auth": true,
auth: { user, pass },
auth: { user: process.env.SMTP_USER, pass: process.env.SMTP_PASS },
machine api.example.com login <user> password <token>
localhost:5432:*:postgres:postgres
127.0.0.1:5432:shop:app:password
0.0.0.0:5432->5432/tcp
root:x:0:0:root:/root:/bin/bash
root:*:19000:0:99999:7:::
daemon:!:19000:0:99999:7:::
$1$2$3 are the captured groups
awk '{ print $1, $5, $6 }' access.log
sed -E 's/(.*)=(.*)/\1=***/' .env
ConvertTo-SecureString $plain -AsPlainText -Force
$cred = Get-Credential
CREATE USER app IDENTIFIED BY 'password';
CREATE ROLE app WITH LOGIN PASSWORD 'changeme';
ALTER USER app IDENTIFIED BY '<password>';
The password is hashed with Argon2id before it is stored.
The password is base64-encoded, not encrypted.
The password is sha256-hashed twice.
The password is never logged.
The token is invalid or has expired.
The token is read from ~/.config/gh/hosts.yml.
The token is a JWT with an RS256 signature.
The token is 36 characters long.
The api key is missing from the request.
Your API key is available at https://console.anthropic.com/settings/keys.
My token is not accepted, what is wrong?
Is the password is correct? The server says 401.
Das Passwort ist falsch.
Das Passwort ist mindestens 8 Zeichen lang.
Le mot de passe est obligatoire.
La contraseña es incorrecta.
The secret is to keep functions small.
The password for the database is in config/credentials.yml.enc.
The password is in 1Password under shop-production.
The passphrase is asked for on the first start.
Forgot your password? Reset it at https://shop.internal/reset?lang=en.
Passwords: use a manager; credentials: rotate them.
credentials: "include",
credentials: 'same-origin',
fetch(url, { credentials: "same-origin", mode: "cors" })
git config credential.helper osxkeychain
npm config set //packages.example.org/:_authToken=${'$'}{NPM_TOKEN}
the task-oriented-disk-scheduler-for-background-jobs2 runs
cache-key-d41d8cd98f00b204e9800998ecf8427e
task-9fceb02d0ae598e95dc970b74767f19372d61af8
pat-a-cake pattern2 patch-package@8.0.0
pattern: /^pat[A-Za-z0-9]{14}\.[a-f0-9]{64}$/
sk.eyJ is how a Mapbox secret token begins
sdk-version-14.5 api-gateway-2 mob-programming
oauth:read oauth:write scopes
1/2 of the tests, 2/3 of the lines
v1.0-rc.1 and v1.0-beta
00DMode is the name of a flag
cio.Reader and cio.Writer
re_export_from_other_modules_of_the_package
pk_users_id is the primary key of users
fw_version_2026 and rnd_seed_12345
EAAs are equal annual amounts
sl.no column of the table
$2a$ and $2b$ are prefixes of bcrypt
{SHA} and {SSHA} are schemes of LDAP
pbkdf2_sha256 with 600000 iterations
river canyon velvet orbit puzzle lantern copper garden
lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor
these twelve plain words would not make any kind of phrase here
git add commit push pull fetch merge rebase stash reset clean
%20 %3D %2F are blanks, equals signs and slashes
a%20b%20c?x=1&amp;y=2 &lt;b&gt;bold&lt;/b&gt; &quot;quoted&quot;
"\u0041\u0042 and \x41 are escapes"
[32m✔[0m 12 tests passed, [31m✘[0m 0 failed
/home/dev/projects/shop/packages/core/src/authentication/PasswordResetController.java
packages/core/src/redact/tokens.ts:120:12 - error TS2322
C:\Users\dev\AppData\Local\Programs\Python\Python312\python.exe
node_modules/.pnpm/@babel+core@7.26.0/node_modules/@babel/core/lib/index.js
kubectl -n shop rollout status deployment/web --timeout=120s
net user /domain
net use Z: \\server\share
nmcli device wifi list
zip -r backup.zip data && unzip -l backup.zip
7z a backup.7z data
ldapsearch -x -W -D cn=admin,dc=example,dc=org
pass the token to the next handler
pass: true
pass=0 fail=2 skip=1
bypass="yes" compass="north"
psk: none
pwd: /home/dev/shop
PWD=/home/dev/shop
OLDPWD=/home/dev
keyboard: "de-latin1-nodeadkeys"
"key": "ArrowDown", "code": "ArrowDown"
key: "sessions-2026-01-01"
key={item.id}
foreign_key_checks=0
public_key: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db","key":"password"}}}]
[{"name":"LOG_LEVEL","value":"debug"},{"name":"TOKEN_TTL","value":"3600"}]
variable "db_password" { type = string, sensitive = true }
props.setProperty("password", config.getPassword());
form.set("password", formData.get("password"))
store.set("token", null)
db.connect("localhost", "orders", "customers-2024")
client.login("maria", "password")
passport.authenticate("local", "session")
jwt.verify(token, process.env.JWT_SECRET)
jwt.sign(payload, "your-256-bit-secret")
INSERT INTO users (name, password) VALUES ('ada', NULL), ('ben', 'password');
INSERT INTO words (id, token) VALUES (1, 'notification');
PASS src/checkout/OrderForm2.test.tsx
PASS  packages/core 12 tests
AUTH LOGIN PLAIN XOAUTH2
AUTH_METHOD scram-sha-256
* 250-AUTH LOGIN PLAIN
CREATE USER app IDENTIFIED BY VALUES;
requirepass foobared
bundle config set --local path vendor/bundle
rclone config show
**Password:** required, at least 8 characters
Password: <code>string</code>
creds: include:omit
login: https://shop.internal/login
sign in with Google: see docs/OAuth2.md
net use Z: /delete
document.cookie = "theme=dark; max-age=31536000"
http-basic.example is not a host
const password = usePasswordStrength(input, { min: 12 })
  password: faker.internet.password({ length: 16 }),
PASSWORD_MIN_LENGTH=12
PASSWORD_RESET_TIMEOUT_DAYS=3
password_hash_algorithm: argon2id
TOKEN_EXPIRY=3600s
ACCESS_TOKEN_LIFETIME_MINUTES=15
REFRESH_TOKEN_COOKIE_NAME=refresh_token_v2
MAX_TOKENS=128000
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased-2024")
model_id: claude-sonnet-4-5-20250929
"model": "gpt-4o-mini-2024-07-18"
cache-key: Linux-node-9fceb02d0ae598e95dc970b74767f19372d61af8
key: ${'$'}{{ runner.os }}-npm-${'$'}{{ hashFiles('**/package-lock.json') }}
uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
FROM node@sha256:2b5f1c1f1c9a0e3bd0ab2c61b1a0cfe2c2bdd1b4cc9e9d7f1ee08a0bd6e0d4d1
image: ghcr.io/acme/shop:3f2a1b9-20260101T120000Z
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
X-Request-Id: 7c9e6679-7425-40de-944b-e07fc1f90ae7
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
"sessionId": "019c5be1-3495-42e4-a993-ff363aeed7bd",
span_id=b7ad6b7169203331 trace_id=0af7651916cd43dd8448eb211c80319c
GIT_COMMIT=9fceb02d0ae598e95dc970b74767f19372d61af8
SENTRY_RELEASE=shop@4.2.1+9fceb02
NEXT_PUBLIC_SUPABASE_URL=https://abcdefghijklmnopqrst.supabase.co
VITE_STRIPE_PUBLISHABLE_KEY=pk_test_...
publicKey: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7vbqajDhA+17HAnlEpMk8qUL5gMpr/8p6 dev@laptop
SHA1 Fingerprint=5B:1E:DA:3D:9B:0C:41:7A:59:0D:5E:8F:21:9A:0F:A6:44:D2:6C:11
{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}
"kid": "2011-04-29",
nonce="rAnd0mN0nc3ForCsp1234"
<script nonce="EDNnf03nceIOfn39fh3e9h3sdfa" src="/app.js"></script>
integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wX4JwY8wC"
class="password-field__input--invalid js-password-toggle"
.btn-token-primary { --token-color-2: #3b82f6; }
SELECT password_hash, token_version FROM users WHERE id = 7;
ALTER TABLE sessions ADD COLUMN token_hash CHAR(64) NOT NULL;
INSERT INTO roles (name, secret) VALUES ('reader', NULL);
user | password
| field | password | token |
| password | string | The password of the user |
username,password_hash_rounds,created_at
docker run -e POSTGRES_PASSWORD=postgres -p 5432:5432 postgres:16
psql "host=localhost user=postgres password=postgres dbname=test"
redis://localhost:6379/0
postgres://localhost/shop?sslmode=disable
amqp://guest:guest@localhost
http -a user:password GET https://api.example.com
sqlplus / as sysdba
sqlplus scott/tiger@orcl
jdbc:oracle:thin:@//db:1521/shop
login with Google/GitHub
log in as admin / admin
credentials: see 1Password/Shop
use the password manager of your choice
use the password field#login-form
reset the password via settings/account
the password is stored as an Argon2id hash
The password must contain A-Z, a-z, 0-9!
await page.fill('#password', credentials.password)
await page.fill('#password', 'password123')
await page.getByLabel('Password').fill('secret')
define( 'DB_PASSWORD', 'password_here' );
define('AUTH_KEY', 'put your unique phrase here');
define('TOKEN_TTL_2', '3600');
set -x EDITOR nvim
set -x PASSWORD_STORE_DIR ~/.password-store
ENV NODE_ENV production
ENV PASSWORD_FILE /run/secrets/db_password
gh secret set DEPLOY_KEY < ~/.ssh/deploy_ed25519
gh secret list --repo acme/shop
echo "hello world" | docker load
printf '%s\n' "${'$'}PASSWORD" | sudo -S true
curl -sSL https://get.docker.com | sh
curl -sSuser-agent https://x
curl -b cookies.txt -c cookies.txt https://x
curl -b "theme=dark; lang=en" https://x
https://api.example.com/items?key=name&order=asc
https://s3.example.com/bucket?key=uploads/2026/01/report-final.pdf
https://maps.example.com/?q=Berlin&code=DE
https://example.com/invite?code=WELCOME2026
DriverManager.getConnection(url, user, password)
DriverManager.getConnection("jdbc:h2:mem:test", "sa", "")
driver.find_element(By.ID, "password").send_keys(os.environ["PW"])
expect(password).toBe("correct")
aws ssm put-parameter --name /shop/region --value eu-west-1 --type String
az keyvault secret set --vault-name v --name db --value "$DB_PASSWORD"
aws secretsmanager get-secret-value --secret-id prod/db
kubectl create secret generic db --from-file=password=./pw.txt
sonar.login=${'$'}{SONAR_TOKEN}
secret_key_base: <%= ENV["SECRET_KEY_BASE"] %>
LOCAL_STORAGE_KEY=shop.settings.v3
const AZURE_STORAGE_KEY = process.env.AZURE_STORAGE_KEY
SNYK_TOKEN=${'$'}{{ secrets.SNYK_TOKEN }}
IDEMPOTENCY_KEY=7c9e6679-7425-40de-944b-e07fc1f90ae7
OLDPWD=/home/dev;PWD=/home/dev/shop-2
bw unlock --raw
htpasswd -nb user password
pdftk in.pdf dump_data output info.txt
7z a -p backup.7z
keyMaterial: Uint8Array
const keyMaterial = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveKey"])
PresharedKey = (hidden)
git config credential.helper store
"token": { "kind": 42, "range": [10, 20] }
Secret: no, it is on the roadmap
pass: 41, fail: 2, skip: 0
5 passed, 1 failed in 12.34s
the secret to fast tests: fewer of them
"integrity": "sha512-Kx5Yk3QnZlqf1sE0Vb2r7aT8mWc9uJpLhGdNoXiRtyUeSzAqPwOv4CbM6jHgFkDl3B5n7V9x2Z1Q0w8E4r6Tyg=="
  integrity sha1-Z5WRxWTDv/quhFTPCz3zcMPWkRw=
    checksum: 10c0/9fceb02d0ae598e95dc970b74767f19372d61af83f2a1b97c8d9e04b825dc1a2
h1:Kx5Yk3QnZlqf1sE0Vb2r7aT8mWc9uJpLhGdNoXiRtyU=
pnpm-lock: /@types/node@22.10.2(typescript@5.9.0)
"node_modules/@babel/core": { "version": "7.26.0", "resolved": "https://x/core-7.26.0.tgz" }
git rev-parse HEAD -> 83db48f9ac01be77d2b6a5c3e4f1029384756abc
[detached HEAD 1a2b3c4] token refresh
Author: Maria <maria@shop.io> Date: Thu Nov 19 20:26:02 2026
diff --git a/src/password.ts b/src/password.ts
@@ -12,7 +12,9 @@ export function hashPassword(password: string) {
+  const token: string = await refreshToken(session.refreshToken)
-  apiKey?: string
type Credentials = { username: string; password: string; token?: string }
interface Config { readonly apiKey: string | undefined; secret: Secret<string> }
password: string
password?: string;
password!: string
token: AccessToken | null
secretKey: Uint8Array<ArrayBuffer>
def login(username: str, password: str) -> Token:
func NewClient(apiKey string, secret []byte) *Client {
fn authenticate(user: &str, password: &SecretString) -> Result<Token> {
public void setPassword(String password) { this.password = password; }
private final String clientSecret;
@Value("${'$'}{db.password}") private String dbPassword;
var password = configuration["Smtp:Password"];
const password = prompt('Password?')
password = getpass.getpass("Password: ")
password = input("Enter password: ")
read -s -p "Password: " password
read -rsp 'Token: ' TOKEN
$password = $_POST['password'];
$password = Read-Host -AsSecureString
let password = rpassword::prompt_password("Password: ").unwrap();
API_KEY = os.getenv("OPENAI_API_KEY")
api_key=os.environ.get("ANTHROPIC_API_KEY")
apiKey: import.meta.env.VITE_API_KEY
apiKey: Deno.env.get("API_KEY")
apiKey: Bun.env.API_KEY!
token: ctx.secrets.GITHUB_TOKEN
secret: ${'$'}{process.env.SESSION_SECRET}
token: ${'$'}{{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN: ${'$'}{{ github.token }}
NPM_TOKEN=***
password=********
Password: ••••••••
DB_PASSWORD=<redacted>
DB_PASSWORD=[REDACTED]
DB_PASSWORD=[hidden]
DB_PASSWORD=xxxxxxxx
API_KEY=your_api_key_here
API_KEY=<token>
API_KEY=...
API_KEY=sk-...abcd
API_KEY="{{API_KEY}}"
API_KEY=%API_KEY%
API_KEY=__API_KEY__
API_KEY=TODO
API_KEY=abc123
API_KEY=test-key
API_KEY=dummy-key-for-tests
STRIPE_SECRET_KEY=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx
password: "hunter2"
password: 'correct horse battery staple'
const password = 'password123'
expect(login('maria', 'wrong-password')).rejects.toThrow()
await user.type(screen.getByLabelText(/password/i), 'Passw0rd!')
fixture: { token: 'test-token-123', apiKey: 'fake-api-key' }
mockToken = 'mock-jwt-token'
const TEST_PASSWORD = 'Test1234!'
data-testid="password-input-field-2"
data-test-id="login-form-submit-button-v2"
id="headlessui-menu-item-:r1a:"
class="text-sm font-medium text-gray-900 dark:text-gray-100 md:px-4"
className={cn('token-chip', styles.tokenChip__a8Kx2)}
.Button_root__3kX9z { color: #1a2b3c }
.css-1q2w3e4r-MuiButton-root { padding: 4px }
background: url("data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=")
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z"/>
"d": "M10.5 6a7.5 7.5 0 107.5 7.5h-7.5V6z"
{"k": "ArrowLeft", "d": "KeyboardNavigation"}
{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","parent":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}
user_id: 6ba7b812-9dad-11d1-80b4-00c04fd430c8
_id: ObjectId("507f1f77bcf86cd799439011")
"objectId": "64b7f3e2a1c9d8e5f6a7b8c9"
ulid: 01ARZ3NDEKTSV4RRFFQ69G5FAV
cuid: ckopqwooh000001la8mbi2im9
nanoid: V1StGXR8_Z5jdHi6B-myT
snowflake: 1541815603606036480
trace: 4bf92f3577b34da6a3ce929d0e0e4736
X-Amzn-Trace-Id: Root=1-5759e988-bd862e3fe1be46a994272793
x-amz-request-id: 4442587FB7D0A2F9
x-github-request-id: E4F2:1A2B:3C4D5E:6F7A8B:65A1B2C3
cf-ray: 8a1b2c3d4e5f6a7b-FRA
etag: W/"5f3b-Kx93mQzL4pR7tVbN3cW6abcdEFG"
Last-Event-ID: 1700000000000-0
Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==
Digest: SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
docker pull redis@sha256:0c6f34a2d41992ee1e02d52d712c12ac46c4d5a63efdab74915141a52c529586
image: 123456789012.dkr.ecr.eu-west-1.amazonaws.com/shop:1.4.2
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
arn:aws:iam::123456789012:role/deploy
projects/shop/secrets/db-password/versions/latest
vault kv get secret/db
vault kv put secret/db password=@pw.txt
vault kv put secret/app ttl=30m region=eu-west-1
kubectl create secret generic db --from-literal=username=app --from-env-file=.env
kubectl create secret generic tls --from-file=tls.key=./key.pem
kubectl create configmap app --from-literal=log.level=debug
kubectl get secrets -o name
secret/default-token-x7k2p
pod/web-7d4b9c6f5d-x2k9q 1/1 Running
serviceAccountToken: { path: token, expirationSeconds: 3600 }
volumeMounts: [{ name: secret-volume, mountPath: /etc/secrets }]
helm upgrade web ./chart --set image.tag=2026.11.19-3f2a1b9
helm upgrade web ./chart --set postgresql.auth.existingSecret=shop-db
terraform apply -var-file=prod.tfvars
pulumi config set aws:region eu-central-1
pulumi config set dbName orders-2026
pulumi config get dbPassword
travis env list
wandb login
wandb login --relogin
mc alias list
rclone obscure -
mkpasswd -m sha-512
openssl passwd -6 -stdin
openssl rand -base64 32
echo "$PASSWORD" | pass insert -e shop/db
pass insert shop/db
printf '%s' "$TOKEN" | secret-tool store --label=shop a b
echo "Hello World 2026" | tee file
echo "v1.2.3" | docker tag
snmp-server community public RO
snmp-server community private RW
/msg NickServ IDENTIFY <password>
/msg NickServ HELP
WiFi.begin(ssid, password);
WiFi.begin(WIFI_SSID, WIFI_PASS);
networksetup -listallhardwareports
dotnet user-secrets init
dotnet user-secrets set "Region" "eu-west-1"
netlify deploy --prod --dir=dist
doctl auth init --context shop
doctl compute droplet list
az sql server list -g shop-rg
az sql db create -g rg -s shop -n orders -p plan
skopeo inspect docker://docker.io/library/nginx:1.27
::add-mask::${'$'}TOKEN
::set-output name=version::1.4.2-beta.3
::set-output name=sha::9fceb02d0ae598e95dc970b74767f19372d61af8
::group::Install dependencies
##[debug]Evaluating condition for step: 'Publish'
https://infura.io/docs
https://mainnet.infura.io/v3/YOUR-PROJECT-ID
https://eth-mainnet.g.alchemy.com/v2/your-api-key
https://shop.io/reset-password/confirm
https://shop.io/reset-password?lang=de
/auth/reset-password/:token
router.get('/reset-password/:resetToken', handler)
/users/3f2504e0-4f89-41d3-9a0c-0305e82c3301/reset-password
https://github.com/acme/shop/commit/9fceb02d0ae598e95dc970b74767f19372d61af8
https://github.com/acme/shop/blob/main/src/auth/reset-password/ResetPasswordForm2.tsx#L10-L20
https://www.figma.com/file/Kx93mQzL4pR7tVbN3cW6aB/Design?node-id=1-2
https://docs.google.com/document/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg/edit
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://example.com/callback?code=abc&state=xyz
https://app/callback?error=access_denied&error_description=x
https://cdn.example.com/a.js?v=1700000000
accounts: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]
0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48
tx 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060
bytes32 constant HASH = 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470;
{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs","e":"AQAB"}
-----BEGIN CERTIFICATE REQUEST-----
-----BEGIN PUBLIC KEY----- MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE= -----END PUBLIC KEY-----
ssh-keygen -lf key.pub: 256 SHA256:uNiVztksCsDhcc0u9e8BrqFR4VvFkT8vQj8z3fJg1aE dev (ED25519)
routing_key: orders.created.v2
routingKey: 'shop.orders.#'
channel.bind("orders", "events", routing_key="orders.created")
partition_key = "tenant#42"
cache_key = f"user:{user_id}:profile:v3"
idempotency-key: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
"hash_salt": null
$settings['hash_salt'] = file_get_contents('/srv/salt.txt');
'crypt' => [ 'cipher' => 'aes-256-gcm' ],
"username": "maria", "key": "value"
{"username":"maria","keyboard":"de"}
proxy_set_header X-Request-Id $request_id;
proxy_set_header Host $host;
proxy_set_header X-Api-Key $http_x_api_key;
user maria insecure-password <password>
[smtp.shop.io]:587 static:all
[::1]:587 connected
user www-data; worker_processes auto;
user admin password required
user name and password are required
Password Manager2 is installed
Password OAuth2Callback failed
password Argon2id params
The password field2 is empty
password reset2FA flow
the passphrase v2Format is documented
Passwort ändern
Passwort vergessen? Klicken Sie hier.
Das Passwort muss mindestens 12 Zeichen haben.
Das Passwort wird mit bcrypt gehasht.
Das Passwort ist im Tresor.
Passwort zurücksetzen per E-Mail
Das Geheimnis: weniger ist mehr
Der Schlüssel ist die Kundennummer.
Der Schlüssel ist zusammengesetzt (tenant_id, order_id).
Le mot de passe doit contenir 8 caractères.
Mot de passe oublié ?
Le mot de passe est chiffré avec AES256.
la clé est la colonne order_id
La clé primaire est composite.
identifiants : voir le coffre
identifiants invalides
my key is missing
my key is the order id
this key: ArrowUp
use this key: users:42:profile
my key binding is Ctrl+Shift+P
the pw is wrong
pw is a variable
my pw is not accepted
Here is my token:
the token: it expires in 3600s
log in with GitHub
log dich mit deinem Account ein
melde dich mit Google/GitHub an
login (maria/admin)
login (see docs/auth2.md)
sign in (SSO/SAML2)
Log in as root/admin
tokens: 12,345 (prompt) / 678 (completion)
tokenCount: 128000
max_completion_tokens=4096
tokenizer.json sha256 mismatch
token_classification_model_v2
"token_usage": {"input": 1200, "output": 340}
CSRF token mismatch for session 019c5be1-3495-42e4-a993-ff363aeed7bd
x-csrf-token: required
recovery codes: 10 codes were generated
backup codes are shown once
Recovery Key: stored in Active Directory
BitLocker recovery: 6 digits per group
phone: 123456-789012-345678
IBAN DE89 3704 0044 0532 0130 00
v4.local is a hostname
v4.public.example.com
paseto v4.local tokens are encrypted
key := "orders"
keyPath = "/etc/ssl/private/shop.key"
keyFile: ./certs/server-key-2026.pem
secretName: shop-tls-2026
secretRef: { name: shop-db-credentials }
passwordPolicy: { minLength: 12, requireDigits: true }
password_rules = "minlength: 20; required: lower; required: upper;"
autocomplete="new-password"
type=password name=password value=""
"password": {"type": "string", "format": "password", "minLength": 8}
properties: { password: { $ref: '#/components/schemas/Password2' } }
$ref: "#/components/schemas/AccessTokenResponse2"
description: The access token issued by the server, e.g. eyJhbGciOi...
Authorization: Bearer eyJ...
Authorization: Bearer ${'$'}{token}
Authorization: Basic <base64>
headers.set('Authorization', 'Bearer ' + token)
if (header.startsWith('Bearer ')) return header.slice('Bearer '.length)
return res.status(401).json({ error: 'invalid_token' })
error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'Password'.
AssertionError: expected 'kQ8vW3xK' to equal undefined
at PasswordService.verify (/srv/app/dist/auth/password.service.js:42:17)
java.lang.NullPointerException at com.shop.auth.TokenFilter.doFilter(TokenFilter.java:42)
[2026-11-19T20:26:02.123Z] INFO auth: token refreshed for user 42
GET /api/v1/tokens/42 200 12ms
POST /oauth/token 200 - 34ms
ok 12 - token2 parses
PASS test/token-v2.spec.ts
rsync -av --password-file=/etc/rsync.pw src/ dst/
mysql --defaults-extra-file=~/.my.cnf
psql -h db -U app -W shop
ssh -i ~/.ssh/id_ed25519 deploy@10.0.0.4
scp -P 2222 a.txt deploy@host:/tmp
tar -czf backup-2026-11-19.tar.gz data
find . -name '*.pem' -o -name '*.key'
grep -rn "password" src --include=*.ts | head
sed -i 's/password=.*/password=/' .env
jq -r .token response.json
cat .env | grep -v PASSWORD
export PS1='\u@\h:\w\$ '
alias k=kubectl
export JAVA_HOME=/usr/lib/jvm/java-21-openjdk-amd64
export PATH=$HOME/.local/bin:$PATH
`
  .split('\n')
  .filter(line => line !== '')

/** Hashes, ids and numbers as programs print them. */
function printed(count: number): readonly string[] {
  const hex = (length: number): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
      .map(all => all.join(''))
  const line = fc.oneof(
    hex(40).map(id => `commit ${id}`),
    hex(7).map(id => `${id} Update dependencies`),
    hex(64).map(id => `sha256:${id}`),
    hex(32).map(id => `etag: "${id}"`),
    fc.uuid().map(id => `session ${id}`),
    fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map(([a, b, c]) => `version ${a}.${b}.${c}-beta.${a}`),
    fc.nat(2 ** 31).map(time => `"timestamp":${time}000,"duration_ms":${time % 1000}`),
    fc.ipV4().map(address => `listening on ${address}:5432`),
    fc
      .uint8Array({ minLength: 60, maxLength: 200 })
      .map(bytes => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`),
  )
  return fc.sample(line, { numRuns: count, seed: 11 })
}

const used = NAMES.flatMap(name => USES.map(use => use.replaceAll('@', () => name)))

export const ORDINARY: readonly string[] = [
  ...LINES,
  ...used,
  ...printed(Math.max(40, 500 - LINES.length - used.length)),
]
