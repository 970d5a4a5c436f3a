<?php

// A PHP application with Symfony Messenger, for tests: php symfony.php COMMAND pgsql|mysql HOST PORT DATABASE USER TABLE QUEUE json|php [ZONE]
//   send       one message, with its stamps
//   fail       one message, as a worker of the transport 'async' gives it up
//   take       takes what is available, acknowledges it and prints the class of each message
//   setup      what messenger:setup-transports does

namespace {
    error_reporting(E_ALL & ~E_DEPRECATED);
    foreach (['Messenger', 'Messenger/Bridge/Doctrine', 'Serializer', 'PropertyAccess', 'ErrorHandler'] as $one) {
        @include '/usr/share/php/Symfony/Component/' . $one . '/autoload.php';
    }
    @include '/usr/share/php/Doctrine/DBAL/autoload.php';
    if (!interface_exists(\Symfony\Component\Messenger\Stamp\StampInterface::class)) {
        exit(1);
    }
}

namespace App\Message {
    final class OrderPlaced
    {
        public function __construct(public string $orderId = '', public int $total = 0)
        {
        }
    }
}

namespace App\Stamp {
    final class MessageNameStamp implements \Symfony\Component\Messenger\Stamp\StampInterface
    {
        public function __construct(public string $messageName = '')
        {
        }
    }
}

namespace {
    use Symfony\Component\Messenger\Bridge\Doctrine\Transport\Connection;
    use Symfony\Component\Messenger\Bridge\Doctrine\Transport\DoctrineTransport;
    use Symfony\Component\Messenger\Envelope;
    use Symfony\Component\Messenger\Stamp;
    use Symfony\Component\Messenger\Transport\Serialization\PhpSerializer;
    use Symfony\Component\Messenger\Transport\Serialization\Serializer;
    use Symfony\Component\Serializer\Encoder\JsonEncoder;
    use Symfony\Component\Serializer\Normalizer;

    if (($argv[1] ?? '') === 'there') {
        exit(class_exists(Connection::class) && class_exists(Serializer::class) && class_exists(JsonEncoder::class)
            && class_exists(\Doctrine\DBAL\DriverManager::class) && extension_loaded('pdo_pgsql') && extension_loaded('pdo_mysql') ? 0 : 1);
    }
    [, $command, $driver, $host, $port, $database, $user, $table, $queue, $format] = $argv;
    date_default_timezone_set($argv[10] ?? 'UTC');
    $dbal = \Doctrine\DBAL\DriverManager::getConnection([
        'driver' => 'pdo_' . $driver, 'host' => $host, 'port' => (int) $port, 'dbname' => $database, 'user' => $user, 'password' => '',
        'charset' => $driver === 'mysql' ? 'utf8mb4' : 'utf8',
    ]);
    $connection = new Connection(
        ['table_name' => $table, 'queue_name' => $queue, 'redeliver_timeout' => 3600, 'auto_setup' => false], $dbal);
    $serializer = $format === 'php' ? new PhpSerializer() : new Serializer(new \Symfony\Component\Serializer\Serializer(
        [new Normalizer\DateTimeNormalizer(), new Normalizer\ArrayDenormalizer(), new Normalizer\ObjectNormalizer()], [new JsonEncoder()]));
    $transport = new DoctrineTransport($connection, $serializer);
    $message = new \App\Message\OrderPlaced('o-1', 42);
    switch ($command) {
        case 'send':
            $transport->send(new Envelope($message, [new \App\Stamp\MessageNameStamp('order.placed')]));
            break;
        case 'fail':
            $transport->send(new Envelope($message, [
                new Stamp\RedeliveryStamp(3),
                Stamp\ErrorDetailsStamp::create(new \RuntimeException('no ink')),
                new Stamp\SentToFailureTransportStamp('async'),
                new Stamp\DelayStamp(0),
                new Stamp\RedeliveryStamp(0),
            ]));
            break;
        case 'take':
            do {
                $taken = 0;
                foreach ($transport->get() as $envelope) {
                    $sent = $envelope->last(Stamp\SentToFailureTransportStamp::class);
                    echo get_class($envelope->getMessage()), ' ', $envelope->getMessage()->orderId, ' ',
                        $sent === null ? '-' : $sent->getOriginalReceiverName(), "\n";
                    $transport->ack($envelope);
                    ++$taken;
                }
            } while ($taken > 0);
            break;
        case 'setup':
            $transport->setup();
            break;
    }
}
